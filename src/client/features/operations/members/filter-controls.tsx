import { SelectField } from '#client/ui/select-field.tsx'

export type Options = Readonly<Record<string, string>>
type ChecksProps = { legend: string; name: string; options: Options; chosen: readonly string[] }

/** Checkboxes, of which any may match. */
export const Checks = ({ legend, name, options, chosen }: ChecksProps) => (
  <fieldset>
    <legend className="text-sm font-semibold">{legend}</legend>
    <div className="mt-2 flex flex-wrap gap-2">
      {Object.entries(options).map(([value, text]) => (
        <label
          key={value}
          className="flex min-h-11 cursor-pointer items-center gap-2 rounded-md border border-line-strong px-3 text-sm hover:border-ink has-checked:border-success has-checked:bg-success-soft sm:min-h-9 has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
        >
          <input
            type="checkbox"
            name={name}
            value={value}
            defaultChecked={chosen.includes(value)}
            className="size-4 focus-visible:outline-none"
          />
          {text}
        </label>
      ))}
    </div>
  </fieldset>
)

type ChoiceProps = { label: string; name: string; value: string; options: Options }

/** One of these, or any. */
export const Choice = ({ label, name, value, options }: ChoiceProps) => (
  <SelectField label={label} name={name} defaultValue={value}>
    <option value="">Any</option>
    {/* A view can have a value that isn't offered. */}
    {value && !(value in options) && <option value={value}>As now</option>}
    {Object.entries(options).map(([option, text]) => (
      <option key={option} value={option}>
        {text}
      </option>
    ))}
  </SelectField>
)
