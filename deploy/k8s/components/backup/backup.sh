# Dumps all databases as of one moment into $BACKUPS/new.gz. It becomes a backup when keep.sh has named it.
set -eu
umask 077
backups=${BACKUPS:-/backups}
config=$(mktemp)
trap 'rm -f "$config"' EXIT
# Not an argument: those of a process are visible to others.
printf 'uri: "%s"\n' "$MONGODB_URL" >"$config"
rm -f "$backups/new.gz"
mongodump --config "$config" --oplog --gzip --archive="$backups/new.gz"
# Whole, and as it was written.
gzip --test "$backups/new.gz"
