import { Form, type FormProps, type Held } from '../form/form.tsx'
import type { PageProps } from '../resources/resource.ts'
import { useConsole } from '../view/console.ts'
import { BadgeLines } from './badge-lines.tsx'
import { BadgePreview } from './badge-preview.tsx'

/** Usual sizes of badges in millimetres, width first. */
const SIZES = ['105 × 148', '86 × 54', '62 × 100']
const NAMES: Readonly<Record<string, string>> = { '105 × 148': 'A6 (105 × 148 mm)' }

/** The form of a badge template, with the badge beside it as it prints. */
export function BadgeForm({ params, ...form }: FormProps & PageProps) {
  const event_id = params.event_id ?? ''
  return (
    <Form
      {...form}
      lead={(held) => <Size {...held} />}
      editors={{ lines: (held) => <BadgeLines key="lines" event_id={event_id} {...held} /> }}
      preview={(values) => <BadgePreview event_id={event_id} values={values} />}
    />
  )
}

/** Chooses a usual size; another one is typed below. */
function Size({ values, change }: Held) {
  const { say } = useConsole()
  const size = `${values.width_mm} × ${values.height_mm}`
  const choose = (chosen: string): void => {
    const [width = '', height = ''] = chosen.split(' × ')
    change('width_mm', width)
    change('height_mm', height)
  }
  return (
    <div class="field">
      <label for="badge-size">{say('badge_size')}</label>
      <select
        id="badge-size"
        value={SIZES.includes(size) ? size : ''}
        onChange={({ currentTarget }) => currentTarget.value && choose(currentTarget.value)}
      >
        {SIZES.map((each) => (
          <option key={each} value={each}>
            {NAMES[each] ?? `${each} mm`}
          </option>
        ))}
        <option value="">{say('badge_size_own')}</option>
      </select>
    </div>
  )
}
