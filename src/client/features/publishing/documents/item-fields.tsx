import { publication } from '#client/lib/publication.ts'
import { type FranchiseTopic, franchiseTopicLabels, franchiseTopics } from '#shared/domain/content-labels.ts'
import { offeredVerticals } from '#shared/domain/verticals.ts'
import { bindFields, CheckboxesField, LineField } from './fields.tsx'

type ItemFacts = { touches: FranchiseTopic[]; validUntil: string; changeNote: string }

type ItemFieldsProps = {
  /** Path of the item, with a dot at the end; empty for the whole document. */
  prefix: string
  value: ItemFacts
  onChange: (change: Partial<ItemFacts>) => void
}

/** Fields of every section, prompt, guide and tool: the topics of a franchise agreement that it touches, how long it is valid, and what changed. */
export function ItemFields({ prefix, value, onChange }: ItemFieldsProps) {
  const field = bindFields(value, onChange, prefix)
  return (
    <>
      {(offeredVerticals(publication).length > 0 || value.touches.length > 0) && (
        <CheckboxesField
          label="Touches the franchise agreement"
          {...field('touches')}
          hint="Readers whose franchisor has a rule about one of these see the rule here. None: no rule is shown."
          words={franchiseTopics}
          labels={franchiseTopicLabels}
        />
      )}
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <LineField
          label="Valid until"
          {...field('validUntil')}
          hint="The last day. After it, readers see that it’s out of date."
          type="date"
        />
        <LineField
          label="What changed"
          {...field('changeNote')}
          hint="One sentence for readers who saved, copied, or downloaded it. Sent once, if the text changed."
        />
      </div>
    </>
  )
}

type CheckedOnFieldProps = {
  /** The checked fact. */
  what?: string
  value: string
  onChange: (change: { checkedOn: string }) => void
  className?: string
}

export const CheckedOnField = ({ what = 'its facts', value, onChange, className }: CheckedOnFieldProps) => (
  <LineField
    label="Facts checked on"
    path="checkedOn"
    hint={`Readers see at the end when you last checked ${what}. Leave it empty for nothing.`}
    type="date"
    className={className}
    value={value}
    onChange={(checkedOn) => onChange({ checkedOn })}
  />
)
