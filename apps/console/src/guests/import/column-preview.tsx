import { useConsole } from '../../view/console.ts'
import { Options } from '../../view/options.tsx'

/** Rows of the preview. */
const PREVIEW = 5

type Told = { line: number }

interface Props {
  headers: readonly string[]
  rows: readonly { line: number; cells: readonly string[] }[]
  /** Rows that are not imported, and those that should be looked at. */
  bad: readonly Told[]
  odd: readonly Told[]
  /** What each column is. */
  meanings: readonly string[]
  /** What a column may be, with its words. */
  choices: readonly (readonly [string, string])[]
  disabled?: boolean
  onChange: (index: number, meaning: string) => void
}

/** The first rows of a list, each with its line and whether something is wrong with it, and above each column what it is, which may be changed. */
export function ColumnPreview({ headers, rows, bad, odd, meanings, choices, disabled = false, onChange }: Props) {
  const { say } = useConsole()
  const isOf = (told: readonly Told[], line: number) => told.some((each) => each.line === line)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section class="scrolling" aria-label={say('import_preview')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <td />
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
              <th scope="row">
                {say('import_row', { line })}
                {isOf(bad, line) ? (
                  <small class="problem">✗ {say('outcome_bad')}</small>
                ) : (
                  isOf(odd, line) && <small class="problem">! {say('import_check')}</small>
                )}
              </th>
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
