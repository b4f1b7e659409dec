/** A command line. */
export interface Command {
  command: string
  args: string[]
}

/** What to run in a rootfs, and as whom. */
export interface Confined {
  rootfs: string
  /** The folder of this machine that the command sees as `/srv`. */
  srv: string
  /** A user of the rootfs. */
  user: string
  command: string[]
}

/**
 * The command line that runs a program of the rootfs: its mounts live in a mount namespace of its own and vanish with it,
 * whatever kills it, so there is never anything to unmount. Every step is an exec, so the process keeps the id it was spawned with.
 * It dies with its parent: the kernel forgets that wish when the user changes, therefore it is set again afterwards, and the parent is
 * looked at once more in case it died in between.
 */
export function inRootfs({ rootfs, srv, user, command }: Confined): Command {
  return {
    command: 'unshare',
    args: ['--mount', '--propagation', 'private', 'sh', '-c', ENTER, 'sh', rootfs, srv, user, ...command],
  }
}

const ENTER = `set -e
root=$1 srv=$2 user=$3 parent=$PPID
shift 3
mount --bind "$srv" "$root/srv"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
exec chroot "$root" setpriv --reuid "$user" --regid "$user" --clear-groups --pdeathsig KILL \\
  sh -c '[ "$PPID" = "$0" ] || exit 1; cd /srv; exec "$@"' "$parent" "$@"`
