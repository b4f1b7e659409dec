import { useState } from 'preact/hooks'
import { declaredOf } from '../declared/declared.ts'
import { type ConsoleResource, idParamOf, itemPathOf, type PageProps } from '../resources/resource.ts'
import { asRefusal, type GatehouseError, type Item, newKey, post, remove } from '../server/server.ts'
import { useConsole } from './console.ts'
import { Problem } from './problem.tsx'

interface Props extends PageProps {
  resource: ConsoleResource
  item: Item
  /** Called when something was done; with the answer, if one is given. */
  onDone: (answer?: Item) => void
}

/** What can be done to an item besides changing it. Deleting it asks first. */
export function ItemActions({ resource, params, item, onDone }: Props) {
  const { say } = useConsole()
  const [isAsking, setAsking] = useState(false)
  const [error, setError] = useState<GatehouseError>()
  const { deletes } = declaredOf(resource.path)
  const run = async (act: () => Promise<Item | undefined>): Promise<void> => {
    setError(undefined)
    try {
      onDone(await act())
    } catch (problem) {
      setError(asRefusal(problem))
    }
  }
  return (
    <>
      {resource.actions
        .filter(({ offered = () => true }) => offered(item))
        .map(({ label, path }) => (
          <button
            key={path}
            type="button"
            class="second"
            onClick={() =>
              void run(() => post(path, { ...params, [idParamOf(path)]: String(item._id) }, undefined, newKey()))
            }
          >
            {say(label)}
          </button>
        ))}
      {deletes && !isAsking && (
        <button type="button" class="second alarming" onClick={() => setAsking(true)}>
          {say(resource.deletion)}
        </button>
      )}
      {isAsking && (
        <span class="asking" role="alert">
          {say('really')}
          <button type="button" class="alarming" onClick={() => void run(() => remove(itemPathOf(resource), params))}>
            {say(resource.deletion)}
          </button>
          <button type="button" class="second" onClick={() => setAsking(false)}>
            {say('cancel')}
          </button>
        </span>
      )}
      {error && <Problem error={error} />}
    </>
  )
}
