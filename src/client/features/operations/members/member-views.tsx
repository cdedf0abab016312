import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { memberViewsQuery } from '#client/lib/member-views-query.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmButton, Dialog } from '#client/ui/dialog.tsx'
import { FilterChip, FilterChipRow } from '#client/ui/filter-chip.tsx'
import { FormError, TextField } from '#client/ui/form.tsx'
import { adminDeleteMemberViewCall, adminSaveMemberViewCall } from '#shared/contracts/publishing/member-views.ts'
import { type MemberFilter, memberFilterSchema } from '#shared/domain/member-filter.ts'

type MemberViewsProps = { filter: MemberFilter; onShow: (filter: MemberFilter) => void }

const everyone = memberFilterSchema.parse({})
/** Views that every publication has. */
const readyViews: Record<string, MemberFilter> = {
  'At risk': memberFilterSchema.parse({
    statuses: ['active', 'trial', 'past_due'],
    engagement: { kind: 'signed_in', within: false, days: 30 },
  }),
  'Cancels at period end': memberFilterSchema.parse({ account: ['canceling'] }),
  'Payment failed': memberFilterSchema.parse({ account: ['payment_failed'] }),
  'Never read': memberFilterSchema.parse({ engagement: { kind: 'read', within: false, days: 730 } }),
}

const isSame = (one: MemberFilter, other: MemberFilter) => JSON.stringify(one) === JSON.stringify(other)

/** Saved filters, shared among staff. The current filter can be saved or its view deleted. */
export function MemberViews({ filter, onShow }: MemberViewsProps) {
  const views = useQuery(memberViewsQuery)
  const remove = useChange(adminDeleteMemberViewCall, { failure: 'We couldn’t delete the view' })
  const [isSaving, setIsSaving] = useState(false)
  const items = views.data?.items ?? []
  const current = items.find((view) => isSame(view.filter, filter))
  const isReady = [everyone, ...Object.values(readyViews)].some((ready) => isSame(ready, filter))
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4">
      <FilterChipRow label="Views">
        <FilterChip pressed={isSame(filter, everyone)} onToggle={() => onShow(everyone)}>
          All members
        </FilterChip>
        {Object.entries(readyViews).map(([name, ready]) => (
          <FilterChip key={name} pressed={isSame(ready, filter)} onToggle={() => onShow(ready)}>
            {name}
          </FilterChip>
        ))}
        {items.map((view) => (
          <FilterChip key={view.id} pressed={isSame(view.filter, filter)} onToggle={() => onShow(view.filter)}>
            {view.name}
          </FilterChip>
        ))}
      </FilterChipRow>
      {current ? (
        <ConfirmButton
          label="Delete view"
          variant="quiet"
          size="sm"
          pending={remove.isPending}
          title={`Delete the view “${current.name}”?`}
          action="Delete view"
          onConfirm={() => remove.mutate({ id: current.id })}
        >
          It disappears for everyone on the staff. No member is deleted.
        </ConfirmButton>
      ) : (
        !isReady && (
          <Button variant="quiet" size="sm" onClick={() => setIsSaving(true)}>
            Save view
          </Button>
        )
      )}
      {isSaving && <SaveDialog filter={filter} onClose={() => setIsSaving(false)} />}
    </div>
  )
}

function SaveDialog({ filter, onClose }: { filter: MemberFilter; onClose: () => void }) {
  const save = useChange(adminSaveMemberViewCall)
  const handleSubmit = submitHandler(save, (text) =>
    save.mutate({ name: text('name'), filter }, { onSuccess: onClose }),
  )
  return (
    <Dialog title="Save view" onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-5">
        <TextField
          label="Name"
          name="name"
          required
          maxLength={60}
          autoComplete="off"
          autoFocus
          hint="Everyone on the staff sees it, and mailings can go to it."
        />
        <FormError>{formErrorMessage(save.error)}</FormError>
        <Button type="submit" pending={save.isPending} className="justify-self-start">
          Save view
        </Button>
      </form>
    </Dialog>
  )
}
