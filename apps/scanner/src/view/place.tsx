import { pageLanguage } from '../../../shared/src/view/now.ts'
import { isFull } from '../server/server.ts'
import type { ViewProps } from './props.ts'

/** Where this device scans, how full it is there, how many are still to come, and the switch to where guests go the other way. */
export function Place({ scanner, say }: ViewProps) {
  const { device, area } = scanner
  const opposite = scanner.opposite()
  const toCome = scanner.personsToCome()
  return (
    <>
      <h1>
        {device?.accesspoint?.name} <small>{device?.event_title}</small>
      </h1>
      {(area || opposite || toCome !== undefined) && (
        <div class="here">
          <div>
            {area && (
              <p class={isFull(area) ? 'inside full' : 'inside'}>
                <span>{area.name}</span>:{' '}
                <span class="count">
                  {area.capacity === null
                    ? say('inside', { count: area.inside_count })
                    : say('inside_of', { count: area.inside_count, capacity: area.capacity })}
                </span>
              </p>
            )}
            {toCome !== undefined && (
              <p class="to-come">{say('to_come', { count: toCome.toLocaleString(pageLanguage()) })}</p>
            )}
          </div>
          {opposite && (
            <button type="button" class="second" onClick={() => void scanner.moveTo(opposite)}>
              {say('switch_to', { point: opposite.name })}
            </button>
          )}
        </div>
      )}
    </>
  )
}
