import { useRef, useState } from 'preact/hooks'
import { declaredOf } from '../declared/declared.ts'
import type { PageProps } from '../resources/resource.ts'
import { asRefusal, client, type GatehouseError, type Item } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useMayChange } from '../view/event.ts'
import { useLoaded } from '../view/loaded.ts'
import { Problem } from '../view/problem.tsx'
import { fileFieldsOf, useFieldsOfEvent } from './guest-fields.ts'

const LIST = '/api/v1/events/{event_id}/guests/{guest_id}/files.json'
const ONE = '/api/v1/events/{event_id}/guests/{guest_id}/files/{key}.json'
const TYPES = 'application/pdf,image/png,image/jpeg,image/webp,image/gif'
const KILO = 1024

/** A file of a guest, as the API lists it. */
type StoredFile = { key: string; filename: string; content_type: string; size: number; url: string }

/** The files of a guest: one for each guest field that takes a file (docs/interface.md 5.12). */
export function GuestFiles({ params, item }: PageProps & { item: Item }) {
  const { say } = useConsole()
  const event_id = params.event_id ?? ''
  const guest_id = String(item._id)
  const fields = fileFieldsOf(useFieldsOfEvent(event_id))
  const mayChange = useMayChange()(declaredOf(LIST).changes ?? 'organizer')
  const {
    value: files,
    error,
    reload,
  } = useLoaded(
    async (signal) =>
      fields.length === 0 ? [] : (await client.GET(LIST, { params: { path: { event_id, guest_id } }, signal })).data,
    [guest_id, fields.length],
  )
  if (fields.length === 0) return null
  return (
    <section>
      <h2>{say('guest_files')}</h2>
      {error && <Problem error={error} retry={reload} />}
      {mayChange && <p class="quiet">{say('guest_files_hint')}</p>}
      <ul class="rows guest-files">
        {fields.map(({ key, label }) => (
          <GuestFile
            key={key}
            path={{ event_id, guest_id, key }}
            label={label}
            file={files?.find((each) => each.key === key)}
            mayChange={mayChange}
            onChange={reload}
          />
        ))}
      </ul>
    </section>
  )
}

interface FileProps {
  path: { event_id: string; guest_id: string; key: string }
  label: string
  file: StoredFile | undefined
  mayChange: boolean
  onChange: () => void
}

function GuestFile({ path, label, file, mayChange, onChange }: FileProps) {
  const { say, locale } = useConsole()
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<GatehouseError>()
  const run = async (act: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    setError(undefined)
    try {
      await act()
      onChange()
    } catch (problem) {
      setError(asRefusal(problem))
    }
    setBusy(false)
    if (input.current) input.current.value = ''
  }
  const upload = (chosen: File): Promise<void> =>
    run(() => {
      // The client writes JSON unless it is told otherwise.
      const asIt = { body: chosen as unknown as string, bodySerializer: () => chosen }
      const query = { filename: chosen.name }
      return client.PUT(ONE, { params: { path, query }, ...asIt, headers: { 'content-type': chosen.type } })
    })
  return (
    <li>
      <strong>{label}</strong>
      {file ? (
        <a href={addressOf(path, file)} download={file.filename}>
          {file.filename} <span class="quiet">({say('file_size', { size: sizeIn(locale, file.size) })})</span>
        </a>
      ) : (
        <span class="quiet">{say('guest_file_none')}</span>
      )}
      {mayChange && (
        <span class="buttons">
          <input
            ref={input}
            type="file"
            hidden
            accept={TYPES}
            aria-label={`${say(file ? 'guest_file_replace' : 'guest_file_add')}: ${label}`}
            onChange={({ currentTarget: { files } }) => files?.[0] && void upload(files[0])}
          />
          <button type="button" class="second" disabled={isBusy} onClick={() => input.current?.click()}>
            {say(file ? 'guest_file_replace' : 'guest_file_add')}
          </button>
          {file && (
            <DeleteButton disabled={isBusy} onDelete={() => void run(() => client.DELETE(ONE, { params: { path } }))} />
          )}
        </span>
      )}
      {error && <Problem error={error} />}
    </li>
  )
}

/** Deletes a file once that is confirmed: nothing brings it back. */
function DeleteButton({ disabled, onDelete }: { disabled: boolean; onDelete: () => void }) {
  const { say } = useConsole()
  const [isAsking, setAsking] = useState(false)
  if (!isAsking)
    return (
      <button type="button" class="second alarming" disabled={disabled} onClick={() => setAsking(true)}>
        {say('guest_file_delete')}
      </button>
    )
  return (
    <span class="asking" role="alert">
      {say('really')}
      <button
        type="button"
        class="alarming"
        onClick={() => {
          setAsking(false)
          onDelete()
        }}
      >
        {say('guest_file_delete')}
      </button>
      <button type="button" class="second" onClick={() => setAsking(false)}>
        {say('cancel')}
      </button>
    </span>
  )
}

/** The address of a file at this very gateway, with the session of whoever is signed in. */
function addressOf({ event_id, guest_id, key }: FileProps['path'], { url }: StoredFile): string {
  const suffix = /\.\w+$/.exec(new URL(url).pathname)?.[0] ?? ''
  const path = ['events', event_id, 'guests', guest_id, 'files', key].map(encodeURIComponent).join('/')
  return `api/v1/${path}${suffix}`
}

function sizeIn(locale: string, bytes: number): string {
  return Math.max(1, Math.round(bytes / KILO)).toLocaleString(locale)
}
