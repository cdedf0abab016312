import { LineField } from './fields.tsx'

type Validity = { validUntil: string; changeNote: string }

type ValidityFieldsProps = {
  /** Of the item, with a dot at the end; empty for the whole document. */
  prefix: string
  value: Validity
  onChange: (change: Partial<Validity>) => void
}

/** Until when an item is valid, and what to tell readers who kept it. */
export function ValidityFields({ prefix, value, onChange }: ValidityFieldsProps) {
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <LineField
        label="Valid until"
        path={`${prefix}validUntil`}
        hint="The last day. After it, readers see that it’s out of date."
        type="date"
        value={value.validUntil}
        onChange={(validUntil) => onChange({ validUntil })}
      />
      <LineField
        label="What changed"
        path={`${prefix}changeNote`}
        hint="One sentence for readers who saved, copied, or downloaded it. Sent once, if the text changed."
        value={value.changeNote}
        onChange={(changeNote) => onChange({ changeNote })}
      />
    </div>
  )
}
