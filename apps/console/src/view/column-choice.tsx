import { useState } from 'preact/hooks'
import { Tick } from '../form/field.tsx'
import { useQuery } from '../route/route.ts'
import { useConsole } from './console.ts'
import { Opening } from './opening.tsx'
import { readStored, store } from './stored.ts'

/** The parameter of the address: views and links have the columns there. */
const COLUMNS = 'columns'

/** The columns of a table that someone has chosen. */
export interface Columns {
  /** Their names, in the order of the table. */
  names: string[]
  choose: (names: string[]) => void
  /** Whether these are not the columns that everybody has at first. */
  isChosen: boolean
}

/** The chosen ones of all columns: those of the address, or those that this browser keeps under a key; the usual ones without either. */
export function useColumns(key: string, all: readonly string[], usual: readonly string[]): Columns {
  const [{ [COLUMNS]: given, ...others }, replace] = useQuery()
  const [kept, setKept] = useState(() => readStored(key, [], isNames))
  const wanted = given === undefined ? kept : given.split(',').map(decoded)
  const found = all.filter((name) => wanted.includes(name))
  return {
    names: found.length > 0 ? found : all.filter((name) => usual.includes(name)),
    isChosen: found.length > 0,
    choose: (next) => {
      store(key, next)
      setKept(next)
      if (given !== undefined) replace(others)
    },
  }
}

/** The parameter by which an address names these columns. */
export function columnsParam({ names, isChosen }: Columns): Record<string, string> {
  return isChosen ? { [COLUMNS]: names.map(encodeURIComponent).join(',') } : {}
}

interface Props {
  columns: Columns
  /** All columns, with their headings. */
  choices: readonly (readonly [name: string, words: string])[]
}

/** A button that opens the choice of columns. At least one stays. */
export function ColumnTicks({ columns: { names, choose }, choices }: Props) {
  const { say } = useConsole()
  const turn = (name: string, isOn: boolean): void => {
    const next = isOn ? [...names, name] : names.filter((each) => each !== name)
    if (next.length > 0) choose(next)
  }
  return (
    <Opening name="opening" button="button second" text={say('columns')}>
      {choices.map(([name, words]) => (
        <Tick key={name} words={words} isOn={names.includes(name)} onTurn={(isOn) => turn(name, isOn)} />
      ))}
      <button type="button" class="second" onClick={() => choose([])}>
        {say('columns_reset')}
      </button>
    </Opening>
  )
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
