import { useState } from 'preact/hooks'
import { useConsole } from '../../view/console.ts'
import { Options } from '../../view/options.tsx'
import type { GuestFile } from '../guest-file.ts'

/** How a file is read, where somebody chose that. */
export interface Choice {
  encoding?: string
  sheet?: string
}

/** How a text is read that was pasted. */
export const PASTED: Choice = { encoding: 'utf-8' }
/** How long typing has to rest before it is read. */
const REST_MS = 300

interface SourceProps {
  /** Why the list cannot be read. */
  problem: string
  disabled: boolean
  open: (file: File, choice?: Choice) => void
}

/** Where a list comes from: a file, or rows of a spreadsheet that are pasted. */
export function Source({ problem, disabled, open }: SourceProps) {
  const { say } = useConsole()
  const describing = { 'aria-describedby': problem ? 'file-problem' : undefined, 'aria-invalid': problem !== '' }
  return (
    <>
      <div class="field">
        <label for="file">{say('import_file')}</label>
        <input
          id="file"
          type="file"
          accept=".csv,.tsv,.txt,.xlsx,.ods,text/csv"
          disabled={disabled}
          {...describing}
          // Browsers tell nothing of the same file again, which somebody has corrected meanwhile.
          onClick={({ currentTarget }) => {
            currentTarget.value = ''
          }}
          onChange={({ currentTarget: { files } }) => files?.[0] && open(files[0])}
        />
        {problem && (
          <p class="problem" id="file-problem" role="alert">
            {problem}
          </p>
        )}
      </div>
      <PasteField disabled={disabled} open={open} />
    </>
  )
}

function PasteField({ disabled, open }: Pick<SourceProps, 'disabled' | 'open'>) {
  const { say } = useConsole()
  const [timer, setTimer] = useState<ReturnType<typeof setTimeout>>()
  const read = (text: string): void => {
    clearTimeout(timer)
    if (text.trim() === '') return
    setTimer(setTimeout(() => open(new File([text], 'pasted.txt'), PASTED), REST_MS))
  }
  return (
    <div class="field">
      <label for="pasted">{say('import_paste')}</label>
      <textarea
        id="pasted"
        rows={3}
        wrap="off"
        disabled={disabled}
        aria-describedby="pasted-hint"
        onInput={({ currentTarget }) => read(currentTarget.value)}
      />
      <small id="pasted-hint" class="hint">
        {say('import_paste_hint')}
      </small>
    </div>
  )
}

interface SelectionProps {
  id: string
  label: string
  hint?: string
  value: string
  options: readonly (readonly [string, string])[]
  disabled?: boolean
  onChange: (value: string) => void
}

/** A choice with its label. */
export function Selection({ id, label, hint, value, options, disabled = false, onChange }: SelectionProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        disabled={disabled}
        {...(hint && { 'aria-describedby': `${id}-hint` })}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        <Options choices={options} />
      </select>
      {hint && (
        <small id={`${id}-hint`} class="hint">
          {hint}
        </small>
      )}
    </div>
  )
}

/** The encoding of a text, or the sheet of a workbook that has several, and the choice of another one. */
export function HowRead({ read, onChange }: { read: GuestFile; onChange: (choice: Choice) => void }) {
  const { say } = useConsole()
  const { text, workbook } = read.list
  if (workbook && workbook.sheets.length > 1) {
    const options = workbook.sheets.map((name) => [name, name] as const)
    return (
      <Selection
        id="sheet"
        label={say('import_sheet')}
        value={workbook.sheet}
        options={options}
        onChange={(sheet) => onChange({ sheet })}
      />
    )
  }
  if (!text || !read.encoding) return null
  const { label, choices } = read.encoding
  const options = choices.map(([name, words]) => [name, name === text.encoding ? label : words] as const)
  return (
    <Selection
      id="encoding"
      label={say('import_encoding')}
      value={text.encoding}
      options={options}
      onChange={(encoding) => onChange({ encoding })}
    />
  )
}
