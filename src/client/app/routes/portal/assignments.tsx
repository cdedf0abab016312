import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { AssignmentList } from '#client/features/reader/assignments/assignment-list.tsx'
import { AssignmentOverview } from '#client/features/reader/assignments/assignment-overview.tsx'
import {
  saveTimeZone,
  teamAssignmentsQuery,
  useRemovable,
} from '#client/features/reader/assignments/assignments.api.ts'
import { SeatLocations } from '#client/features/reader/assignments/seat-locations.tsx'
import { TeamCollection } from '#client/features/reader/assignments/team-collection.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Disclosure } from '#client/ui/disclosure.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { Section } from '#client/ui/section.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import type { Assignment, TeamAssignments } from '#shared/contracts/reader/assignments.ts'
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
  return (
    <>
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
