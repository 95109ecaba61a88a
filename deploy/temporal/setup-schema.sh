#!/bin/sh
# Makes or updates the two databases of a Temporal server in PostgreSQL; running it again does nothing.
# In: POSTGRES_SEEDS, DB_PORT, POSTGRES_USER, POSTGRES_PWD, DBNAME, VISIBILITY_DBNAME; SQL_TOOL where it is not on PATH.
set -eu
export SQL_PLUGIN=postgres12 SQL_HOST="$POSTGRES_SEEDS" SQL_PORT="$DB_PORT" SQL_USER="$POSTGRES_USER" SQL_PASSWORD="$POSTGRES_PWD"
tool=${SQL_TOOL:-temporal-sql-tool}

schema() {
  "$tool" --db "$1" create-database
  "$tool" --db "$1" setup-schema -v 0.0 || echo "Database $1 has its tables of versions already." >&2
  "$tool" --db "$1" update-schema --schema-name "postgresql/v12/$2"
}
schema "$DBNAME" temporal
schema "$VISIBILITY_DBNAME" visibility
