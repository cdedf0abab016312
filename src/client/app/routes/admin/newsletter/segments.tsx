import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { readers } from '#client/features/publishing/documents/reader-counts.ts'
import { segmentsQuery } from '#client/features/publishing/mailings/segments.api.ts'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmButton } from '#client/ui/dialog.tsx'
import { FormActions, InlineError, TextAreaField, TextField } from '#client/ui/form.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading, Section } from '#client/ui/page-parts.tsx'
import { adminDeleteSegmentCall, adminSaveSegmentCall } from '#shared/contracts/publishing/segments.ts'

export function Component() {
  return (
    <>
      <PageHeading title="Segments" />
      <div className="pt-8">
        <h2 className="sr-only">Segments</h2>
        <SegmentList />
      </div>
    </>
  )
}

type Segment = { id: string; name: string; members: number }

/** Hand-picked groups of readers. */
function SegmentList() {
  const list = useQuery(segmentsQuery)
  const { role } = useStaffRole()
  const canEdit = role !== null && adminSaveSegmentCall.roles.includes(role)
  const [editing, setEditing] = useState<string | null>(null)
  if (!list.data) return <QueryPlaceholder query={list} what="the segments" lines={4} height="h-14" />
  const { items: segments } = list.data
  return (
    <Section title="Your segments" lede="Groups of readers you choose by hand, such as testers.">
      {segments.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {segments.map((segment) => (
            <li key={segment.id} className="py-3">
              {editing === segment.id ? (
                <SegmentForm segment={segment} onClose={() => setEditing(null)} />
              ) : (
                <SegmentRow segment={segment} onEdit={canEdit ? () => setEditing(segment.id) : null} />
              )}
            </li>
          ))}
        </ul>
      )}
      <div className="mt-5">
        {!canEdit ? (
          // Editing a segment shows members' addresses, which these roles may not read.
          <p className="text-muted">Ask an owner to add or change a segment. You can send to it.</p>
        ) : editing === 'new' ? (
          <SegmentForm segment={null} onClose={() => setEditing(null)} />
        ) : (
          <Button variant="secondary" onClick={() => setEditing('new')}>
            New segment
          </Button>
        )}
      </div>
    </Section>
  )
}

/** `onEdit` is null for those who can only send to segments. */
type SegmentRowProps = { segment: Segment; onEdit: (() => void) | null }

function SegmentRow({ segment: { id, name, members }, onEdit }: SegmentRowProps) {
  const remove = useChange(adminDeleteSegmentCall)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
      <div className="min-w-0">
        <p className="font-semibold [overflow-wrap:anywhere]">{name}</p>
        <p className="text-sm text-muted tabular-nums">{readers(members)}</p>
      </div>
      {onEdit && (
        <div className="flex gap-2">
          <Button variant="secondary" size="sm" aria-label={`Edit ${name}`} onClick={onEdit}>
            Edit
          </Button>
          <ConfirmButton
            label="Delete"
            variant="secondary"
            size="sm"
            aria-label={`Delete ${name}`}
            pending={remove.isPending}
            title={`Delete ${name}?`}
            action="Delete"
            onConfirm={() => remove.mutate({ id })}
          >
            The readers keep their accounts. Mailings that are already sending keep their audience.
          </ConfirmButton>
        </div>
      )}
      <InlineError className="w-full [overflow-wrap:anywhere]">{formErrorMessage(remove.error)}</InlineError>
    </div>
  )
}

const addressesIn = (text: FormDataEntryValue | null) =>
  String(text ?? '')
    .split(/[\s,;]+/)
    .filter(Boolean)

function SegmentForm({ segment, onClose }: { segment: Segment | null; onClose: () => void }) {
  const save = useChange(adminSaveSegmentCall)
  const unknown = save.data?.unknown ?? []
  const handleSubmit = submitHandler(save, (_text, form) =>
    save.mutate(
      {
        id: segment?.id ?? save.data?.id ?? null,
        name: String(form.get('name')),
        add: addressesIn(form.get('add')),
        remove: addressesIn(form.get('remove')),
      },
      { onSuccess: (answer) => answer.unknown.length === 0 && onClose() },
    ),
  )
  return (
    <form
      onSubmit={handleSubmit}
      className="grid max-w-xl gap-5"
      aria-label={segment ? `Edit ${segment.name}` : 'New segment'}
    >
      <TextField label="Name" name="name" required maxLength={80} defaultValue={segment?.name} />
      <TextAreaField
        label="Add"
        hint="Email addresses of readers, one per line or separated by commas."
        name="add"
        rows={4}
        className="py-2.5"
      />
      {segment && <TextAreaField label="Remove" name="remove" rows={2} className="py-2.5" />}
      {unknown.length > 0 && (
        <p role="alert" className="text-sm [overflow-wrap:anywhere]">
          Saved. No account found for: {unknown.join(', ')}
        </p>
      )}
      <FormActions action="Save" change={save} onCancel={onClose} />
    </form>
  )
}
