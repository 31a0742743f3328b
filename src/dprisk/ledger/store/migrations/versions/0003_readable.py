"""No writer appends what nobody could read: the database checks each entry by itself, too."""

from alembic import op

revision = "0003"
down_revision = "0002"

START = "0" * 64
KINDS = "'ledger', 'account', 'reserved', 'released', 'voided', 'refused'"
TEXTS = """coalesce(length(NEW.key), 0) > 1000 OR length(NEW."by") > 1000
         OR length(NEW.at) > 100"""
BODY = 1 << 24  # signs
# Neither SHA-256 nor JSON is for triggers of SQLite. Whoever can write its file can drop them.
SQLITE = (
    "DROP TRIGGER entry_follows",
    f"""CREATE TRIGGER entry_follows BEFORE INSERT ON entry
    WHEN NEW.seq IS NOT coalesce((SELECT max(seq) FROM entry), 0) + 1
      OR NEW.previous IS NOT
         coalesce((SELECT hash FROM entry ORDER BY seq DESC LIMIT 1), '{START}')
      OR NEW.kind NOT IN ({KINDS}) OR (NEW.kind = 'ledger') IS NOT (NEW.seq = 1)
      OR {TEXTS} OR length(NEW.body) > {BODY}
      OR NEW.body NOT GLOB '{{*}}'
    BEGIN SELECT RAISE(ABORT, 'an entry follows the last one, and can be read'); END""",
)
# A hash is that of the list of what the entry says, as JSON; no search_path leads elsewhere.
POSTGRESQL = (
    f"""CREATE OR REPLACE FUNCTION entry_follows() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog AS $$
    DECLARE
      at integer;
      digest text;
      said text;
    BEGIN
      EXECUTE format('SELECT seq, hash FROM %s ORDER BY seq DESC LIMIT 1', TG_RELID::regclass)
        INTO at, digest;
      IF NEW.seq <> coalesce(at, 0) + 1 OR NEW.previous <> coalesce(digest, '{START}') THEN
        RAISE EXCEPTION 'an entry follows the last one' USING ERRCODE = 'restrict_violation';
      END IF;
      IF NEW.kind NOT IN ({KINDS}) OR (NEW.kind = 'ledger') <> (NEW.seq = 1)
         OR {TEXTS} OR length(NEW.body) > {BODY} THEN
        RAISE EXCEPTION 'an entry can be read' USING ERRCODE = 'restrict_violation';
      END IF;
      BEGIN
        said := json_typeof(NEW.body::json);
      EXCEPTION WHEN OTHERS THEN
        said := '';
      END;
      IF said IS DISTINCT FROM 'object' THEN
        RAISE EXCEPTION 'an entry can be read' USING ERRCODE = 'restrict_violation';
      END IF;
      said := concat('[', NEW.seq, ',', to_json(NEW.kind), ',',
        coalesce(to_json(NEW.key)::text, 'null'), ',', to_json(NEW.at), ',', to_json(NEW."by"), ',',
        to_json(NEW.body), ',', to_json(NEW.previous), ']');
      IF NEW.hash <> encode(sha256(convert_to(said, 'UTF8')), 'hex') THEN
        RAISE EXCEPTION 'an entry has its own hash' USING ERRCODE = 'restrict_violation';
      END IF;
      RETURN NEW;
    END $$""",
)


def upgrade() -> None:
    """Make the checks."""
    for statement in SQLITE if op.get_bind().dialect.name == "sqlite" else POSTGRESQL:
        op.execute(statement)
