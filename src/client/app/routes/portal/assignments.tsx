import { useQuery, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { AssignmentOverview } from '#client/features/reader/assignments/assignment-overview.tsx'
import {
  checkOff,
  collectForTeam,
  type Removable,
  saveTimeZone,
  teamAssignmentsQuery,
  useRemovable,
} from '#client/features/reader/assignments/assignments.api.ts'
import { SeatLocations } from '#client/features/reader/assignments/seat-locations.tsx'
import { today } from '#client/features/reader/assignments/today.ts'
import { taskLinksQuery } from '#client/features/reader/task-links/task-links.api.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { LoadError, LoadingPlaceholder, SkeletonText } from '#client/ui/loading.tsx'
import { Disclosure, PageHeading, Section } from '#client/ui/page-parts.tsx'
import { Tag } from '#client/ui/tag.tsx'
import type { Assignment, TeamAssignments } from '#shared/contracts/reader/assignments.ts'
import { isOverdue } from '#shared/domain/assignments.ts'
import { itemKey } from '#shared/domain/content-items.ts'
import { formatDay } from '#shared/domain/format.ts'
import { prefetchContent } from './prefetch-content.ts'

export const loader = prefetchContent((client) => [client.prefetchQuery(teamAssignmentsQuery)])

export function Component() {
  const team = useQuery(teamAssignmentsQuery)
  return (
    <>
      <PageHeading title="Assignments" lede="What your team has to do, and the collection you share." />
      {team.isLoadingError ? (
        <LoadError what="your assignments" query={team} />
      ) : team.isPending ? (
        <LoadingPlaceholder>
          <SkeletonText lines={1} height="h-7" className="mt-8 w-40 max-w-full" />
          <SkeletonText lines={4} height="h-16" className="mt-5" />
        </LoadingPlaceholder>
      ) : team.data ? (
        <div className="max-w-3xl pt-8">
          <Team team={team.data} />
        </div>
      ) : (
        <EmptyState
          title="Assignments are for teams"
          action={<ButtonLink to="/account/team">See how a team works</ButtonLink>}
        >
          <p>With a Team plan you assign a section or prompt to a person or a location, with a date and a note.</p>
        </EmptyState>
      )}
    </>
  )
}

function Team({ team }: { team: TeamAssignments }) {
  const [doneBefore] = useState(
    () => new Set(team.assignments.filter(({ done }) => done).map(({ assignmentId }) => assignmentId)),
  )
  // A task checked off now stays in its place, so that a slip can be undone and the focus is kept.
  const isFiled = (assignment: Assignment) => assignment.done && doneBefore.has(assignment.assignmentId)
  const removable = useRemovable(team.assignments)
  const open = removable.shown.filter((assignment) => !isFiled(assignment))
  const mine = open.filter(({ isMine }) => isMine)
  const others = open.filter(({ isMine }) => !isMine)
  const done = removable.shown.filter(isFiled)
  const countOpen = (list: readonly Assignment[]) =>
    `${list.filter((each) => !each.done && !removable.isRemoved(each)).length} open`
  const rows = { team, removable }
  const assignedToOthers = team.assignments.filter(({ isMine }) => !isMine)
  useEffect(() => saveTimeZone(team.timeZone), [team.timeZone])
  useRefreshAfterAnswers()
  return (
    <>
      <NewTask />
      <Section
        title="For you"
        status={mine.length > 0 ? countOpen(mine) : undefined}
        lede={
          mine.length > 0
            ? undefined
            : 'Nothing to do. Choose Assign below any section or prompt to give it to someone on your team, or to yourself.'
        }
      >
        {mine.length > 0 && <AssignmentList label="For you" assignments={mine} {...rows} />}
      </Section>
      {assignedToOthers.length > 0 && (
        <Section
          title={team.isOwner ? 'For the team' : 'From you'}
          status={others.length > 0 ? countOpen(others) : undefined}
        >
          <AssignmentOverview assignments={assignedToOthers} />
          {others.length > 0 && (
            <AssignmentList label={team.isOwner ? 'For the team' : 'From you'} assignments={others} {...rows} />
          )}
        </Section>
      )}
      {done.length > 0 && (
        <Section title="Done" status="Last 90 days">
          <Disclosure summary={`Show ${done.length} done`}>
            <AssignmentList label="Done" assignments={done} {...rows} />
          </Disclosure>
        </Section>
      )}
      <TeamCollection collection={team.collection} />
      {team.isOwner && <SeatLocations people={team.people} locations={team.locations} />}
    </>
  )
}

/** Reads the assignments again once someone without an account has checked one off. */
function useRefreshAfterAnswers() {
  const client = useQueryClient()
  const { data } = useQuery(taskLinksQuery)
  const answered = data?.links.reduce((sum, { answers }) => sum + answers.length, 0)
  useEffect(() => {
    if (answered) void client.invalidateQueries({ queryKey: teamAssignmentsQuery.queryKey })
  }, [client, answered])
}

const TaskLinkDialog = lazy(() => import('#client/features/reader/task-links/task-link-dialog.tsx'))

function NewTask() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <p className="pb-8">
      <Button variant="secondary" onClick={() => setIsOpen(true)}>
        New task in your own words
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <TaskLinkDialog item={null} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </p>
  )
}

/** Items that the team collects. Everyone may add and remove them. */
function TeamCollection({ collection }: Pick<TeamAssignments, 'collection'>) {
  const client = useQueryClient()
  return (
    <Section
      title="Team collection"
      status={collection.length > 0 ? `${collection.length} ${collection.length === 1 ? 'item' : 'items'}` : undefined}
      lede={
        collection.length > 0
          ? undefined
          : 'One list for the whole team. Choose Assign below a section or prompt, then “In the team’s collection”.'
      }
    >
      {collection.length > 0 && (
        <ul aria-label="Team collection" className="divide-y divide-line border-t border-line">
          {collection.map((item) => (
            <li key={itemKey(item)} className="flex flex-wrap items-center justify-between gap-x-4 py-2">
              <p className="min-w-0 py-1 [overflow-wrap:anywhere]">
                {item.path ? (
                  <Link to={item.path} className="font-semibold hover:text-primary">
                    {item.title}
                  </Link>
                ) : (
                  <>
                    <span className="font-semibold">{item.title}</span> <Tag>No longer available</Tag>
                  </>
                )}
                {item.parentTitle && <span className="block text-sm text-muted">{item.parentTitle}</span>}
              </p>
              <Button variant="quiet" size="sm" onClick={() => collectForTeam(client, item, false)}>
                Remove<span className="sr-only"> {item.title} from the team collection</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

const FilledText = lazy(() => import('#client/features/reader/assignments/filled-text.tsx'))
const TaskLinkStatus = lazy(() => import('#client/features/reader/task-links/task-link-status.tsx'))
const EditDialog = lazy(() => import('#client/features/reader/assignments/edit-dialog.tsx'))

type AssignmentListProps = Pick<RowProps, 'team' | 'removable'> & { label: string; assignments: readonly Assignment[] }

/** Rows to check off, set like a checklist on paper. */
function AssignmentList({ label, assignments, ...rest }: AssignmentListProps) {
  return (
    <ul aria-label={label} className="divide-y divide-line border-t border-line">
      {assignments.map((assignment) => (
        <AssignmentRow key={assignment.assignmentId} assignment={assignment} {...rest} />
      ))}
    </ul>
  )
}

type RowProps = {
  assignment: Assignment
  team: Pick<TeamAssignments, 'people' | 'locations' | 'isOwner'>
  removable: Pick<Removable, 'isRemoved' | 'remove' | 'restore'>
}

function AssignmentRow({ assignment, team, removable }: RowProps) {
  const client = useQueryClient()
  const { title, path, parentTitle, note, done, canCheckOff, canEdit } = assignment
  const isRemoved = removable.isRemoved(assignment)
  const link = useQuery(taskLinksQuery).data?.links.find((each) => each.assignmentId === assignment.assignmentId)
  return (
    <li className="flex flex-wrap gap-x-2 py-3 sm:flex-nowrap">
      <label className="-ml-2.5 grid size-11 shrink-0 place-items-center">
        <input
          type="checkbox"
          className="size-6"
          aria-label={`Done: ${title}`}
          checked={done}
          disabled={!canCheckOff || isRemoved}
          onChange={({ target }) => checkOff(client, assignment, target.checked)}
        />
      </label>
      <div className={clsx('min-w-0 flex-1 py-1.5', isRemoved && 'text-muted')}>
        <p className={clsx('font-semibold [overflow-wrap:anywhere]', (done || isRemoved) && 'text-muted line-through')}>
          {path ? (
            <Link to={path} className="hover:text-primary">
              {title}
            </Link>
          ) : (
            <>
              {title} {assignment.kind && <Tag>No longer available</Tag>}
            </>
          )}
        </p>
        {parentTitle && <p className="text-sm text-muted">{parentTitle}</p>}
        {assignment.text && (
          <Suspense fallback={null}>
            <FilledText assignment={assignment} />
          </Suspense>
        )}
        {note && <p className="mt-1 measure whitespace-pre-line [overflow-wrap:anywhere]">{note}</p>}
        <Facts assignment={assignment} team={team} />
        {link && (
          <Suspense fallback={null}>
            <TaskLinkStatus title={title} link={link} isOwner={team.isOwner} />
          </Suspense>
        )}
      </div>
      {canEdit && <RowActions assignment={assignment} team={team} removable={removable} />}
    </li>
  )
}

/** Below the text on a phone, beside it on wider screens. */
function RowActions({ assignment, team, removable }: RowProps) {
  const [isEditing, setIsEditing] = useState(false)
  const { title, done } = assignment
  const isRemoved = removable.isRemoved(assignment)
  return (
    <div className="flex items-start max-sm:w-full max-sm:pl-7">
      {!done && !isRemoved && (
        <Button variant="quiet" size="sm" onClick={() => setIsEditing(true)}>
          Edit<span className="sr-only"> {title}</span>
        </Button>
      )}
      {/* The same button, so that it keeps the focus. */}
      <Button
        key="remove"
        variant="quiet"
        size="sm"
        onClick={() => (isRemoved ? removable.restore(assignment) : removable.remove(assignment))}
      >
        {isRemoved ? 'Undo' : 'Remove'}
        <span className="sr-only">
          {isRemoved && ' removing'} {title}
        </span>
      </Button>
      {isEditing && (
        <Suspense fallback={null}>
          <EditDialog
            assignment={assignment}
            people={team.people}
            locations={team.locations}
            onClose={() => setIsEditing(false)}
          />
        </Suspense>
      )}
    </div>
  )
}

function Facts({ assignment, team }: Pick<RowProps, 'assignment' | 'team'>) {
  const you = team.people.find(({ isYou }) => isYou)?.email
  const { to, toName, hasLeft, isMine, dueOn, done, doneBy, createdBy } = assignment
  const gone = to === 'person' ? 'A former member' : 'A deleted location'
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted tabular-nums">
      <span className="[overflow-wrap:anywhere]">
        {isMine && to === 'person' ? 'For you' : `For ${toName || gone}`}
      </span>
      {hasLeft && <Tag tone="accent">Left the team</Tag>}
      {dueOn && (
        <span className={clsx(isOverdue(assignment, today()) && 'font-semibold text-danger')}>
          {isOverdue(assignment, today()) ? 'Was due ' : 'Due '}
          <time dateTime={dueOn}>{formatDay(dueOn)}</time>
        </span>
      )}
      {done && doneBy ? (
        <span>Done by {doneBy === you ? 'you' : doneBy}</span>
      ) : (
        createdBy && createdBy !== you && <span>From {createdBy}</span>
      )}
    </p>
  )
}
