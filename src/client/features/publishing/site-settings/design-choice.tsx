import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useDebounced } from '#client/lib/use-debounced.ts'
import {
  type PreviewPart,
  previewParts,
  type SettingField,
  type SettingValues,
} from '#shared/contracts/publishing/site-settings.ts'
import { previewQuery, typingMs } from './settings-preview.tsx'

type DesignChoiceProps = {
  fields: readonly SettingField[]
  values: SettingValues
  onChange: (field: SettingField, value: string) => void
}

/** The designs side by side, each with the publisher's own pages and an email as they would look in it. */
export function DesignChoice({ fields, values, onChange }: DesignChoiceProps) {
  const name = useId()
  const draft = useDebounced(values, typingMs)
  const field = fields.find((each) => each.name === 'design')
  if (!field) return null
  const chosen = values.design ?? field.default
  return (
    <fieldset className="mb-8">
      <legend className="display text-xl">Design</legend>
      <p className="mt-1.5 mb-5 max-w-[60ch] text-muted">
        Each design is shown with your landing page, your latest drop and an email. Choose one, adjust it below, and
        save. Preview shows them at full size, on phones and in the dark theme.
      </p>
      <div className="grid gap-5 md:grid-cols-3">
        {field.options?.map(({ value, label }) => (
          <label
            key={value}
            className="block cursor-pointer rounded-lg border border-line-strong bg-surface p-3 hover:border-ink has-checked:border-success has-checked:shadow-[inset_0_0_0_2px_var(--success)] has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
          >
            <span className="mb-3 flex min-h-11 items-start gap-3">
              <input
                type="radio"
                name={name}
                className="mt-0.5 size-5 shrink-0 focus-visible:outline-none"
                checked={value === chosen}
                onChange={() => onChange(field, value)}
              />
              <span className="text-sm">
                <span className="text-base font-semibold">{label.split(': ')[0]}</span>
                <span className="block text-muted">{label.split(': ')[1]}</span>
              </span>
            </span>
            <span className="grid grid-cols-2 gap-2">
              {(Object.keys(previewParts) as PreviewPart[]).map((part) => (
                <SmallPreview key={part} part={part} values={{ ...draft, design: value }} />
              ))}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Widths in pixels at which pages and emails are shown before they are scaled down. */
const shownAt: Readonly<Record<PreviewPart, number>> = { landing: 1280, drop: 900, email: 640 }

/** A page or an email, scaled to its box. It can't be used. */
function SmallPreview({ part, values }: { part: PreviewPart; values: SettingValues }) {
  const { data } = useQuery(previewQuery('publication', values, part, 'light'))
  // The last preview stays while a value is invalid; its field and the full preview say why.
  const [html, setHtml] = useState('')
  if (data && data.html !== html) setHtml(data.html)
  const width = shownAt[part]
  return (
    <span
      className={`@container relative block overflow-hidden border border-line bg-background ${part === 'landing' ? 'col-span-2 aspect-[4/3]' : 'aspect-[3/4]'}`}
    >
      {html && (
        <iframe
          inert
          title={previewParts[part]}
          sandbox="allow-same-origin"
          srcDoc={html}
          // Box width divided by page width. CSS can't divide two lengths; tan(atan2()) can.
          style={{
            width,
            height: `${(part === 'landing' ? 75 : 133.4) * (width / 100)}px`,
            scale: `tan(atan2(100cqw, ${width}px))`,
          }}
          className="pointer-events-none absolute top-0 left-0 max-w-none origin-top-left"
        />
      )}
    </span>
  )
}
