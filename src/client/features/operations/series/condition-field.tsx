import { useState } from 'react'
import { MemberFilterPanel } from '#client/features/operations/members/member-filter-panel.tsx'
import { publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { memberFilterText } from '#shared/domain/describe-member-filter.ts'
import { type MemberFilter, memberFilterSchema } from '#shared/domain/member-filter.ts'

type ConditionFieldProps = {
  label: string
  /** Shown without a filter. */
  none: string
  filter: MemberFilter | null
  /** Tags to choose from. */
  tags: readonly string[]
  onChange: (filter: MemberFilter | null) => void
}

const everyone = memberFilterSchema.parse({})
const isEmpty = (filter: MemberFilter) => JSON.stringify(filter) === JSON.stringify(everyone)

/** Which members a condition is about, in words, with the filter of the members list to change it. */
export function ConditionField({ label, none, filter, tags, onChange }: ConditionFieldProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div>
      <p className="text-sm font-semibold">{label}</p>
      <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1">
        <p className={filter ? '[overflow-wrap:anywhere]' : 'text-muted'}>
          {filter ? memberFilterText(publication, filter) : none}
        </p>
        {!isOpen && (
          <Button variant="secondary" size="sm" aria-label={`Change: ${label}`} onClick={() => setOpen(true)}>
            Change
          </Button>
        )}
      </div>
      {isOpen && (
        <MemberFilterPanel
          filter={filter ?? everyone}
          tagsInUse={[...new Set([...(filter?.tags ?? []), ...tags])]}
          submitLabel="Use this condition"
          onFilter={(next) => {
            onChange(isEmpty(next) ? null : next)
            setOpen(false)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}
