-- What a role needs to record releases in a ledger, and nothing more. Whoever owns the tables runs
--   psql --command="SET dprisk.role = 'NAME'" --file=appending.sql URL
DO $$
DECLARE
  role text := current_setting('dprisk.role');
BEGIN
  EXECUTE format('REVOKE ALL ON entry, ledger_revision FROM PUBLIC, %I', role);
  EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM %I', current_schema(), role);
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), role);
  EXECUTE format('GRANT SELECT, INSERT ON entry TO %I', role);
  EXECUTE format('GRANT SELECT ON ledger_revision TO %I', role);
END $$;
