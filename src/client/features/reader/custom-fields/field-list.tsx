import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { MoveButtons } from '#client/ui/move-buttons.tsx'
import { QueryPlaceholder } from '#client/ui/query-placeholder.tsx'
import { RetireButton } from '#client/ui/retire-button.tsx'
import { Section } from '#client/ui/section.tsx'
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
  if (!fields.data) return <QueryPlaceholder query={fields} what="the fields" lines={4} height="h-20" />
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
              <li key={field.id} className="border-b border-line py-5 last:border-b-0 last:pb-0">
                {editing === field.id ? (
                  form(field)
                ) : (
                  <FieldRow field={field}>
                    <MoveButtons
                      label={(direction) => `Move ${field.label} ${direction}`}
                      isFirst={at === 0}
                      isLast={at === inUse.length - 1}
                      disabled={order.isPending}
                      onMove={(by) => move(at, by)}
                    />
                    <Button
                      variant="secondary"
                      size="sm"
                      aria-label={`Edit ${field.label}`}
                      onClick={() => setEditing(field.id)}
                    >
                      Edit
                    </Button>
                    <RetireField field={field} />
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
              <li key={field.id} className="border-b border-line py-5 last:border-b-0 last:pb-0">
                <FieldRow field={field}>
                  <RetireField field={field} />
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

function RetireField({ field }: { field: StoredCustomField }) {
  const retire = useRetireField(field)
  return (
    <RetireButton
      name={field.label}
      isRetired={field.retired}
      retire={retire}
      action="Retire field"
      restore="Put back in use"
    >
      Members aren’t asked anymore. Their answers stay, views that filter by it keep working, and you can put it back in
      use.
    </RetireButton>
  )
}
