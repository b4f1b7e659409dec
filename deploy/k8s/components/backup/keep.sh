# Names the new archive by its time, and deletes backups that are older than KEEP_DAYS, but never the newest three.
set -eu
backups=${BACKUPS:-/backups}
name=$(date --utc +%Y-%m-%dT%H-%M-%SZ).gz
mv "$backups/new.gz" "$backups/$name"
ls "$backups" | grep -E '^[0-9-]+T[0-9-]+Z\.gz$' | sort --reverse | tail --lines=+4 | while read -r old; do
  find "$backups/$old" -mtime +"$KEEP_DAYS" -delete
done
echo "$backups/$name"
