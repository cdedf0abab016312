import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { guidesQuery } from '#client/features/library/guides/guides.api.ts'
import { teamAssignmentsQuery } from '#client/features/reader/assignments/assignments.api.ts'
import { today } from '#client/features/reader/assignments/today.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice } from '#client/ui/choice.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { FormError, SelectField, TextAreaField, TextField } from '#client/ui/form.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { Disclosure } from '#client/ui/page-parts.tsx'
import type { AssignmentTarget, TeamAssignments } from '#shared/contracts/reader/assignments.ts'
import type { TaskSheet } from '#shared/contracts/reader/task-links.ts'
import { maxAssignmentNote, maxAssignmentText, maxAssignmentTitle, maxTargets } from '#shared/domain/assignments.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'
import { addDays } from '#shared/domain/due-day.ts'
import { type CrewLanguage, crewLanguageNames, maxCrewName, maxTaskLinkDays } from '#shared/domain/task-links.ts'
import { useMakeTasks } from './task-links.api.ts'
import { TaskSheets } from './task-sheets.tsx'

/** How long a link works unless the owner chooses another day. */
const usualDays = 14

type TaskLinkDialogProps = {
  /** Null for a text of the team's own. */
  item: (ItemRef & { title: string }) | null
  onClose: () => void
}

/** Assigns an item or a text to stores, with a link to each for people without an account. */
export default function TaskLinkDialog({ item, onClose }: TaskLinkDialogProps) {
  const team = useQuery(teamAssignmentsQuery)
  const [sheets, setSheets] = useState<readonly TaskSheet[] | null>(null)
  return (
    <Dialog title={sheets ? 'Your task links' : item ? 'Make task links' : 'New task'} onClose={onClose}>
      {item && <p className="mt-1 text-muted [overflow-wrap:anywhere]">{item.title}</p>}
      {sheets ? (
        <TaskSheets sheets={sheets} />
      ) : team.data ? (
        <TaskForm item={item} team={team.data} onMade={setSheets} />
      ) : team.isSuccess ? (
        <p className="mt-5">You aren’t on a team with an active plan anymore.</p>
      ) : (
        <QueryPlaceholder query={team} what="your team" lines={3} height="h-14" className="mt-5" />
      )}
    </Dialog>
  )
}

type TaskFormProps = Pick<TaskLinkDialogProps, 'item'> & {
  team: TeamAssignments
  onMade: (sheets: readonly TaskSheet[]) => void
}

function TaskForm({ item, team, onMade }: TaskFormProps) {
  const make = useMakeTasks()
  const { people, locations } = team
  const [chosen, setChosen] = useState(() => new Set(locations.slice(0, maxTargets).map(({ id }) => id)))
  /** By location, so that a repeated request assigns once. */
  const [ids] = useState(() => new Map<string, string>())
  const you = people.find(({ isYou }) => isYou)
  const count = locations.length > 0 ? chosen.size : 1

  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (make.isPending || !you || count === 0) return
    const fields = new FormData(event.currentTarget)
    const read = (name: string) => String(fields.get(name) ?? '').trim()
    const targets: AssignmentTarget[] =
      locations.length > 0 ? [...chosen].map((locationId) => ({ locationId })) : [{ userId: you.userId }]
    const to = targets.map((target) => {
      const key = 'locationId' in target ? target.locationId : target.userId
      const assignmentId = ids.get(key) ?? crypto.randomUUID()
      ids.set(key, assignmentId)
      return { assignmentId, to: target, text: read('text') }
    })
    const about = item && { kind: item.kind, id: item.id }
    make.mutate(
      {
        assign: { item: about, title: read('title'), to, dueOn: read('due') || null, note: read('note') },
        link: {
          crew: read('crew'),
          language: (read('language') || null) as CrewLanguage | null,
          validUntil: read('until'),
        },
      },
      { onSuccess: ({ sheets }) => onMade(sheets) },
    )
  }

  return (
    <form onSubmit={handleSubmit} className="mt-5 grid gap-4">
      {item === null && (
        <>
          <TextField label="What to do" name="title" required maxLength={maxAssignmentTitle} />
          <TextAreaField
            label="Steps (optional)"
            name="text"
            rows={4}
            maxLength={maxAssignmentText}
            className="py-2.5"
          />
        </>
      )}
      {item?.kind === 'guide' && <GuideStep id={item.id} />}
      {locations.length > 0 ? (
        <fieldset className="grid gap-2">
          <legend className="mb-2 text-sm font-semibold">Stores</legend>
          {locations.map(({ id, name }) => (
            <Choice
              key={id}
              type="checkbox"
              label={name}
              checked={chosen.has(id)}
              disabled={!chosen.has(id) && chosen.size >= maxTargets}
              onChange={() => toggle(id)}
            />
          ))}
        </fieldset>
      ) : (
        <p className="text-sm text-muted">Add your locations under Account to make a link for each store.</p>
      )}
      <TextField
        label={locations.length > 0 ? 'Crew or person (optional)' : 'Crew or person'}
        name="crew"
        required={locations.length === 0}
        maxLength={maxCrewName}
        hint="Such as “Closing crew”. They need no account."
      />
      <Disclosure summary="Dates, language, and note">
        <div className="grid gap-4 pt-2">
          <TextField type="date" name="due" label="Due date (optional)" min={today()} max="2100-12-31" />
          <TextField
            type="date"
            name="until"
            label="Links work until"
            required
            min={today()}
            max={addDays(today(), maxTaskLinkDays - 1)}
            defaultValue={addDays(today(), usualDays)}
          />
          <SelectField label="Language" name="language" options={crewLanguageNames}>
            <option value="">The phone’s language</option>
          </SelectField>
          <TextAreaField
            label="Note (optional)"
            name="note"
            rows={2}
            maxLength={maxAssignmentNote}
            className="py-2.5"
          />
        </div>
      </Disclosure>
      <FormError>{formErrorMessage(make.error)}</FormError>
      <Button type="submit" block pending={make.isPending} disabled={count === 0}>
        {count === 1 ? 'Make 1 link' : `Make ${count} links`}
      </Button>
    </form>
  )
}

/** A guide is too large for one task, so its owner assigns a part of it. */
function GuideStep({ id }: { id: string }) {
  const guides = useQuery(guidesQuery)
  const parts = guides.data?.find((guide) => guide.id === id)?.inside ?? []
  return (
    <SelectField label="Step of the guide" name="title" required options={parts.map((part) => [part, part])}>
      <option value="" disabled>
        Choose a step
      </option>
    </SelectField>
  )
}
