"""Entries are only ever added, each after the last one: the database itself refuses the rest."""

from alembic import op

revision = "0002"
down_revision = "0001"

START = "0" * 64
SQLITE = (
    "CREATE TRIGGER entry_kept BEFORE UPDATE ON entry "
    "BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END",
    "CREATE TRIGGER entry_stays BEFORE DELETE ON entry "
    "BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END",
    f"""CREATE TRIGGER entry_follows BEFORE INSERT ON entry
    WHEN NEW.seq IS NOT coalesce((SELECT max(seq) FROM entry), 0) + 1
      OR NEW.previous IS NOT
         coalesce((SELECT hash FROM entry ORDER BY seq DESC LIMIT 1), '{START}')
    BEGIN SELECT RAISE(ABORT, 'an entry follows the last one'); END""",
)
# The table is named by its own identifier, so no search_path leads elsewhere.
POSTGRESQL = (
    """CREATE FUNCTION entry_kept() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'entries are never changed' USING ERRCODE = 'restrict_violation';
    END $$""",
    f"""CREATE FUNCTION entry_follows() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      at integer;
      digest text;
    BEGIN
      EXECUTE format('SELECT seq, hash FROM %s ORDER BY seq DESC LIMIT 1', TG_RELID::regclass)
        INTO at, digest;
      IF NEW.seq <> coalesce(at, 0) + 1 OR NEW.previous <> coalesce(digest, '{START}') THEN
        RAISE EXCEPTION 'an entry follows the last one' USING ERRCODE = 'restrict_violation';
      END IF;
      RETURN NEW;
    END $$""",
    "CREATE TRIGGER entry_kept BEFORE UPDATE OR DELETE ON entry "
    "FOR EACH ROW EXECUTE FUNCTION entry_kept()",
    "CREATE TRIGGER entry_stays BEFORE TRUNCATE ON entry "
    "FOR EACH STATEMENT EXECUTE FUNCTION entry_kept()",
    "CREATE TRIGGER entry_follows BEFORE INSERT ON entry "
    "FOR EACH ROW EXECUTE FUNCTION entry_follows()",
)


def upgrade() -> None:
    """Make the triggers."""
    for statement in SQLITE if op.get_bind().dialect.name == "sqlite" else POSTGRESQL:
        op.execute(statement)
