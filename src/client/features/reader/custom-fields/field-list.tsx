import { useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { IconButton } from '#client/ui/icon-button.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { Section } from '#client/ui/section.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { Tag } from '#client/ui/tag.tsx'
import type { StoredCustomField } from '#shared/contracts/reader/custom-fields.ts'
import { customFieldKinds, customFieldPlaces } from '#shared/domain/custom-fields.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { mergeFieldOf } from '#shared/domain/merge-fields.ts'
import { storedFieldsQuery, useOrderFields, useRetireField } from './admin-fields.api.ts'
import { FieldForm } from './field-form.tsx'

/** The publisher's fields in the order in which members are asked. */
export function FieldList() {
  const fields = useQuery(storedFieldsQuery)
  /** The id of the field that is edited; 0 for a new one. */
  const [editing, setEditing] = useState<number | null>(null)
  const order = useOrderFields()
  if (fields.isError && !fields.data) return <LoadError what="the fields" query={fields} />
  if (!fields.data) {
    return (
      <LoadingPlaceholder>
        <SkeletonText lines={4} height="h-20" />
      </LoadingPlaceholder>
    )
  }
  const inUse = fields.data.items.filter(({ retired }) => !retired)
  const retired = fields.data.items.filter((field) => field.retired)
  const form = (field: StoredCustomField | null) => (
    <FieldForm
      key={field?.version}
      field={field}
      onReload={() => void fields.refetch()}
      onClose={() => setEditing(null)}
    />
  )
  const move = (at: number, by: 1 | -1) => {
    const ids = inUse.map(({ id }) => id)
    ids.splice(at + by, 0, ...ids.splice(at, 1))
    order.mutate(ids)
  }
  return (
    <>
      <Section
        title="Your fields"
        lede="What you want to know about members. Filter by these fields, import and export them, and use them in emails."
      >
        {editing === null && <Button onClick={() => setEditing(0)}>Create field</Button>}
        {editing === 0 && form(null)}
        {inUse.length > 0 && (
          <ul aria-label="Fields" className="mt-8 border-t-2 border-ink">
            {inUse.map((field, at) => (
              <li key={field.id} className="border-b border-line py-5">
                {editing === field.id ? (
                  form(field)
                ) : (
                  <FieldRow field={field}>
                    <IconButton
                      icon={ArrowUp}
                      label={`Move ${field.label} up`}
                      disabled={at === 0 || order.isPending}
                      onClick={() => move(at, -1)}
                    />
                    <IconButton
                      icon={ArrowDown}
                      label={`Move ${field.label} down`}
                      disabled={at === inUse.length - 1 || order.isPending}
                      onClick={() => move(at, 1)}
                    />
                    <Button
                      variant="secondary"
                      size="sm"
                      aria-label={`Edit ${field.label}`}
                      onClick={() => setEditing(field.id)}
                    >
                      Edit
                    </Button>
                    <RetireButton field={field} />
                  </FieldRow>
                )}
              </li>
            ))}
          </ul>
        )}
      </Section>
      {retired.length > 0 && (
        <Section title="Retired" lede="No longer asked. Their values stay with the members.">
          <ul aria-label="Retired fields" className="border-t-2 border-ink">
            {retired.map((field) => (
              <li key={field.id} className="border-b border-line py-5">
                <FieldRow field={field}>
                  <RetireButton field={field} />
                </FieldRow>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

function FieldRow({ field, children }: { field: StoredCustomField; children: React.ReactNode }) {
  const { label, key, kind, options, asked, required, help, retiredAt } = field
  const offered = options.filter((option) => !option.retired).map((option) => option.label)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
      <div className="min-w-0 flex-1 basis-72 [overflow-wrap:anywhere]">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="font-semibold">{label}</span>
          {retiredAt && <Tag>Retired {formatDay(retiredAt)}</Tag>}
          {required && <Tag>Required</Tag>}
        </p>
        <p className="mt-1">
          {customFieldKinds[kind]}
          {offered.length > 0 && `: ${offered.join(', ')}`}
        </p>
        <p className="text-sm text-muted">
          {[customFieldPlaces[asked], help].filter(Boolean).join(' · ')}
          {' · In emails: '}
          <code>{`{{${mergeFieldOf(key)}}}`}</code>
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">{children}</div>
    </div>
  )
}

function RetireButton({ field }: { field: StoredCustomField }) {
  const retire = useRetireField(field)
  const [asking, setAsking] = useState(false)
  if (field.retired) {
    return (
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Put ${field.label} back in use`}
        pending={retire.isPending}
        onClick={() => retire.mutate(false)}
      >
        Put back in use
      </Button>
    )
  }
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Retire ${field.label}`}
        pending={retire.isPending}
        onClick={() => setAsking(true)}
      >
        Retire
      </Button>
      {asking && (
        <ConfirmDialog
          title={`Retire ${field.label}?`}
          action="Retire field"
          onConfirm={() => retire.mutate(true)}
          onClose={() => setAsking(false)}
        >
          Members aren’t asked anymore. Their answers stay, views that filter by it keep working, and you can put it
          back in use.
        </ConfirmDialog>
      )}
    </>
  )
}
