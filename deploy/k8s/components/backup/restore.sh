# Brings the backup NAME of $BACKUPS back: `sh restore.sh NAME`. What is in the databases now goes.
set -eu
umask 077
backups=${BACKUPS:-/backups}
archive=$backups/${1:?"which backup? There are: $(ls "$backups")"}
# Before anything goes.
gzip --test "$archive"
config=$(mktemp)
trap 'rm -f "$config"' EXIT
printf 'uri: "%s"\n' "$MONGODB_URL" >"$config"
mongorestore --config "$config" --drop --oplogReplay --gzip --archive="$archive"
