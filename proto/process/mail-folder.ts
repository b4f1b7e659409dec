import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { optionalText } from '../declaring/fields.ts'

/** The setting of processes that write or show e-mails in a folder. */
export const mailFolderSettings = {
  mail_folder: optionalText({
    maxLength: 4_000,
    description: 'For development: a folder where e-mails are kept in place of sending them',
  }),
}

/** The cookie whose value is the secret of `/dev/mail`. */
const SECRET_COOKIE = 'gatehouse_mail'

/** The `Cookie` header of a request for `/dev/mail`. */
export const mailCookie = (secret: string): string => `${SECRET_COOKIE}=${secret}`

/** E-mails that a folder keeps. */
export const KEPT = 200
/** How many more there may be before the oldest are deleted. */
const SLACK = 20
const SUFFIX = '.eml'
/** A name cannot leave the folder, whatever it is made from. */
const NAME = /^[\w-]{1,100}$/

/** An e-mail in a folder. */
export interface KeptMail {
  name: string
  at: Date
}

/** A folder of e-mails, each a file that is named after its Message-ID. */
export class MailFolder {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** Keeps an e-mail, in place of an earlier one of the same Message-ID. */
  async keep(messageId: string, message: Uint8Array): Promise<void> {
    const path = join(this.#path, `${nameOf(messageId)}${SUFFIX}`)
    await mkdir(this.#path, { recursive: true, mode: 0o700 })
    await writeFile(`${path}.new`, message, { mode: 0o600 })
    await rename(`${path}.new`, path)
    await this.#deleteOldest()
  }

  /** Its e-mails, the newest first. */
  async list(): Promise<KeptMail[]> {
    const files = (await this.#files()).filter(({ file }) => file.endsWith(SUFFIX))
    return files.map(({ file, at }) => ({ name: file.slice(0, -SUFFIX.length), at }))
  }

  /** The bytes of an e-mail; null if there is none of this name. */
  async read(name: string): Promise<Buffer | null> {
    if (!NAME.test(name)) return null
    return readFile(join(this.#path, `${name}${SUFFIX}`)).catch(unlessMissing)
  }

  async #deleteOldest(): Promise<void> {
    if ((await readdir(this.#path)).length <= KEPT + SLACK) return
    const old = (await this.#files()).slice(KEPT)
    await Promise.all(old.map(({ file }) => rm(join(this.#path, file), { force: true })))
  }

  /** All files with their times, the newest first. */
  async #files(): Promise<{ file: string; at: Date }[]> {
    const files = (await readdir(this.#path).catch(unlessMissing)) ?? []
    const found = await Promise.all(
      files.map(async (file) => {
        // Another process may have deleted it meanwhile.
        const status = await stat(join(this.#path, file)).catch(unlessMissing)
        return status ? [{ file, at: status.mtime, ms: status.mtimeMs }] : []
      }),
    )
    return found.flat().sort((one, other) => other.ms - one.ms)
  }
}

/** The name of the e-mail of a Message-ID, `<name@example.org>`. */
function nameOf(messageId: string): string {
  const [, name = ''] = /^<?([^@>]*)/.exec(messageId) ?? []
  return name.replaceAll(/[^\w-]/g, '_').slice(0, 100)
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
