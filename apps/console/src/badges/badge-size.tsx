import { useState } from 'preact/hooks'
import { Field } from '../form/field.tsx'
import type { Held } from '../form/form.tsx'
import type { FormFields, Value } from '../form/values.ts'
import { named } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'

/** Usual sizes of badges in millimetres, width first. */
const SIZES = ['105 × 148', '86 × 54', '62 × 100']
const NAMES: Readonly<Record<string, string>> = { '105 × 148': 'A6 (105 × 148 mm)' }

/** Chooses a usual size of badges, or one that is typed. */
export function BadgeSize({ fields, values, change, errors }: Held & { fields: FormFields }) {
  const { say } = useConsole()
  const size = `${values.width_mm} × ${values.height_mm}`
  const [isOwn, setOwn] = useState(false)
  const isTyped = isOwn || !SIZES.includes(size)
  const choose = (chosen: string): void => {
    setOwn(chosen === '')
    if (chosen === '') return
    const [width = '', height = ''] = chosen.split(' × ')
    change('width_mm', width)
    change('height_mm', height)
  }
  return (
    <>
      <div class="field">
        <label for="badge-size">{say('badge_size')}</label>
        <select
          id="badge-size"
          value={isTyped ? '' : size}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {SIZES.map((each) => (
            <option key={each} value={each}>
              {NAMES[each] ?? `${each} mm`}
            </option>
          ))}
          <option value="">{say('badge_size_own')}</option>
        </select>
      </div>
      {isTyped &&
        ['width_mm', 'height_mm'].map((name) => {
          const field = fields[name]
          return (
            field && (
              <Field
                key={name}
                {...{ name, field }}
                label={named(say, 'field', name)}
                value={values[name] as Value}
                errors={errors[name]}
                options={undefined}
                isNew={false}
                zone="UTC"
                onChange={(value) => change(name, value)}
              />
            )
          )
        })}
    </>
  )
}
