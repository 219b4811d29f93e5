#!/usr/bin/env bash
# Prepares a new PostgreSQL for a synchronous standby and for the proxy's health checks. Runs once, at the
# first start.
set -euo pipefail
psql --username="$POSTGRES_USER" --dbname=postgres --set=ON_ERROR_STOP=1 --set=password="$POSTGRES_PASSWORD" <<'SQL'
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'password';
CREATE ROLE proxy LOGIN;
ALTER SYSTEM SET synchronous_standby_names = '*';
SQL
sed -i "1i host postgres proxy $PROXY_ADDRESS/32 trust" "$PGDATA/pg_hba.conf"
echo "host replication replicator $NETWORK scram-sha-256" >>"$PGDATA/pg_hba.conf"
