import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { today } from '#client/features/reader/assignments/today.ts'
import { blankLabel } from '#client/features/reader/business-profile/blank.tsx'
import { businessProfileQuery } from '#client/features/reader/business-profile/business-profile.api.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { FigureTable } from '#client/ui/figure-table.tsx'
import { CheckField, FormActions, TextAreaField, TextField } from '#client/ui/form.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { Disclosure } from '#client/ui/page-parts.tsx'
import { maxAssignmentNote, maxTargets } from '#shared/domain/assignments.ts'
import { cleanText, hasLines, maxValueLength, type Values, valuesOfLocation } from '#shared/domain/business-profile.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'
import { addDays } from '#shared/domain/due-day.ts'
import { filledText, fillPlaceholders, missingBlanks } from '#shared/domain/fill-placeholders.ts'
import { factsUsed } from '#shared/domain/store-facts.ts'
import { useMakeTasks } from './task-links.api.ts'
import { TaskSheets } from './task-sheets.tsx'

/** How long the links work after the due date. */
const linkDays = 14

type FillForStoresProps = {
  item: ItemRef & { title: string }
  /** Names the prompt that answers are remembered for. */
  promptId: string
  /** With its placeholders as written. */
  body: string
  onClose: () => void
}

/** One prompt for all stores: a table to review, then an assignment and a task link for each store at once. */
export default function FillForStores({ item, promptId, body, onClose }: FillForStoresProps) {
  const { data: profile } = useQuery(businessProfileQuery)
  const make = useMakeTasks()
  /** By location, so that a second click assigns once. */
  const [ids] = useState(new Map<string, string>())
  const [cells, setCells] = useState<Readonly<Record<string, Values>>>({})
  const [omitted, setOmitted] = useState<ReadonlySet<string>>(
    () =>
      new Set(
        profile?.locations
          .filter(({ mine }) => mine)
          .slice(maxTargets)
          .map(({ id }) => id),
      ),
  )
  const stores = (profile?.locations.filter(({ mine }) => mine) ?? []).map((location) => {
    const parts = fillPlaceholders(body, {
      typed: cells[location.id] ?? {},
      location: valuesOfLocation(location),
      profile: profile?.values ?? {},
      remembered: profile?.answers[promptId] ?? {},
    })
    return { ...location, parts, text: filledText(parts), isChosen: !omitted.has(location.id) }
  })
  const chosen = stores.filter(({ isChosen }) => isChosen)
  const blanks = [
    ...new Map(stores[0]?.parts.flatMap((part) => (part.key === null ? [] : [[part.key, part] as const]))).values(),
  ]
  const empty = chosen.reduce((count, { parts }) => count + missingBlanks(parts).length, 0)

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (make.isPending || chosen.length === 0) return
    const fields = new FormData(event.currentTarget)
    const to = chosen.map(({ id, text, parts }) => {
      const assignmentId = ids.get(id) ?? crypto.randomUUID()
      ids.set(id, assignmentId)
      return { assignmentId, to: { locationId: id }, text, facts: factsUsed(parts) }
    })
    const due = String(fields.get('due')) || null
    make.mutate({
      assign: { item: { kind: item.kind, id: item.id }, to, dueOn: due, note: String(fields.get('note')) },
      link: { crew: '', language: null, validUntil: addDays(due && due > today() ? due : today(), linkDays) },
    })
  }
  const setCell = (storeId: string, key: string, value: string) =>
    setCells((all) => ({ ...all, [storeId]: { ...all[storeId], [key]: value } }))
  const setChosen = (storeId: string, isChosen: boolean) => {
    const others = [...omitted].filter((id) => id !== storeId)
    setOmitted(new Set(isChosen ? others : [...others, storeId]))
  }

  return (
    <Dialog title="Fill in for all stores" wide onClose={onClose}>
      <p className="mt-1 text-muted [overflow-wrap:anywhere]">{item.title}</p>
      {make.data ? (
        <TaskSheets sheets={make.data.sheets} />
      ) : (
        <form onSubmit={handleSubmit} className="mt-4 grid gap-4">
          <FigureTable
            caption="What differs by store"
            hidesCaption
            head="Store"
            columns={blanks.map(blankLabel)}
            className="[&_th]:bg-surface"
            rows={stores.map(({ id, name, parts, isChosen }) => ({
              id,
              name: (
                <CheckField label={name} checked={isChosen} onChange={({ target }) => setChosen(id, target.checked)} />
              ),
              figures: blanks.map((blank) => {
                const { key, placeholder } = blank
                const value = parts.find((part) => part.key === key)?.value ?? ''
                const variable = placeholder?.name ?? null
                const Cell = variable && hasLines(variable) ? 'textarea' : 'input'
                return (
                  <Cell
                    key={key}
                    aria-label={`${blankLabel(blank)}: ${name}`}
                    className={`${inputStyles} min-w-44 text-sm!`}
                    maxLength={maxValueLength}
                    defaultValue={value}
                    disabled={!isChosen}
                    onChange={({ target }) => setCell(id, key ?? '', cleanText(target.value, variable))}
                  />
                )
              }),
            }))}
          />
          <Disclosure summary={`Read the ${chosen.length === 1 ? 'text' : 'texts'}`}>
            {chosen.map(({ id, name, text }) => (
              <section key={id} className="border-t border-line py-3 text-sm">
                <h3 className="font-semibold">{name}</h3>
                <p className="mt-1 measure whitespace-pre-line [overflow-wrap:anywhere]">{text}</p>
              </section>
            ))}
          </Disclosure>
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField type="date" name="due" label="Due date (optional)" min="2020-01-01" max="2100-12-31" />
            <TextAreaField
              label="Note (optional)"
              name="note"
              rows={2}
              maxLength={maxAssignmentNote}
              className="py-2.5"
            />
          </div>
          {empty > 0 && (
            <p role="status" className="text-sm text-accent-ink">
              {empty === 1 ? 'One blank is' : `${empty} blanks are`} empty and stay in brackets.
            </p>
          )}
          <FormActions
            action={`Assign to ${chosen.length} ${chosen.length === 1 ? 'store' : 'stores'}`}
            change={make}
            onCancel={onClose}
          />
        </form>
      )}
    </Dialog>
  )
}
