import { useConsole } from '../../view/console.ts'
import { Options } from '../../view/options.tsx'

/** Rows of the preview. */
const PREVIEW = 5

interface Props {
  headers: readonly string[]
  rows: readonly { line: number; cells: readonly string[] }[]
  /** What each column is. */
  meanings: readonly string[]
  /** What a column may be, with its words. */
  choices: readonly (readonly [string, string])[]
  disabled?: boolean
  onChange: (index: number, meaning: string) => void
}

/** The first rows of a list, and above each column what it is, which may be changed. */
export function ColumnPreview({ headers, rows, meanings, choices, disabled = false, onChange }: Props) {
  const { say } = useConsole()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section class="scrolling" aria-label={say('import_preview')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {headers.map((name, index) => (
              <th key={`${index}-${name}`} scope="col">
                {name || index + 1}
                <select
                  aria-label={`${say('import_column')} ${name || index + 1}`}
                  value={meanings[index]}
                  disabled={disabled}
                  onChange={({ currentTarget }) => onChange(index, currentTarget.value)}
                >
                  <Options choices={choices} />
                </select>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, PREVIEW).map(({ line, cells }) => (
            <tr key={line}>
              {headers.map((name, index) => (
                <td key={`${index}-${name}`}>{cells[index]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
