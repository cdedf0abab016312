import { useQuery } from '@tanstack/react-query'
import type { SubmitEvent } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { teamQuery } from '#client/features/billing/teams/teams.api.ts'
import { readTarget, TargetOptions } from '#client/features/reader/assignments/assignment-fields.tsx'
import { teamAssignmentsQuery } from '#client/features/reader/assignments/assignments.api.ts'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { FormError, SelectField } from '#client/ui/form.tsx'
import { LoadError, Skeleton } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Tag } from '#client/ui/tag.tsx'
import type { OwnedTeam } from '#shared/contracts/billing/teams.ts'
import type { TeamAssignments } from '#shared/contracts/reader/assignments.ts'
import { departureCall, letMemberGoCall } from '#shared/contracts/reader/departures.ts'
import { formatDay } from '#shared/domain/format.ts'
import { formatCount } from '#shared/domain/format-count.ts'

/** For owners: who leaves, what they have open, and the end of their access, in one step. */
export function Component() {
  const team = useQuery(teamQuery)
  const work = useQuery(teamAssignmentsQuery)
  const [search, setSearch] = useSearchParams()
  if (team.isError && !team.data) return <LoadError what="your team" query={team} />
  if (!team.data || work.isPending) return <Skeleton className="h-64" />
  const members = team.data.owned?.members ?? []
  const asked = search.get('member')
  const member = members.find(({ userId }) => userId === asked)
  return (
    <>
      <Section title="Someone leaves" lede="Hand over what they have open and end their access in one step.">
        {members.length > 0 ? (
          <SelectField
            label="Who leaves"
            value={member?.userId ?? ''}
            onChange={({ target }) => setSearch({ member: target.value }, { replace: true })}
            options={members.map(({ userId, email }) => [userId, email])}
            fieldClassName="max-w-xl"
          >
            <option value="" disabled>
              Choose a member
            </option>
          </SelectField>
        ) : (
          <p>No one else is on your team.</p>
        )}
      </Section>
      {member ? (
        <Leaving key={member.userId} member={member} work={work.data ?? null} />
      ) : (
        asked && <FormError>This person isn’t on your team anymore.</FormError>
      )}
    </>
  )
}

type LeavingProps = { member: OwnedTeam['members'][number]; work: TeamAssignments | null }

function Leaving({ member: { userId, email }, work }: LeavingProps) {
  const navigate = useNavigate()
  /** What ends with the seat. Numbers only. */
  const { data } = useQuery(alwaysStaleQuery(['departure', userId], departureCall, { userId }))
  const open = work?.assignments.filter(({ toId, done }) => toId === userId && !done) ?? []
  const letGo = useChange(letMemberGoCall, {
    done: 'They left the team',
    onSuccess: () => navigate('/account/team', { replace: true }),
  })
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!letGo.isPending) letGo.mutate({ userId, to: readTarget(event.currentTarget) })
  }
  const ending: [string, number][] = data
    ? [
        ['signed-in device', data.sessions],
        ['shared link', data.shareLinks],
        ['connected assistant', data.assistants],
      ]
    : []
  return (
    <form onSubmit={handleSubmit}>
      <Section
        title="Open for them"
        lede={
          open.length > 0
            ? undefined
            : 'Nothing is open. What they assigned to others, and the team’s collection, stay.'
        }
      >
        {work && open.length > 0 && (
          <>
            <ul aria-label="Open for them" className="mb-5 divide-y divide-line border-y border-line">
              {open.map(({ assignmentId, title, dueOn }) => (
                <li key={assignmentId} className="py-2.5 [overflow-wrap:anywhere]">
                  {title} {dueOn && <span className="text-muted">Due {formatDay(dueOn)}</span>}
                </li>
              ))}
            </ul>
            <SelectField label="Hand over to" name="to" required defaultValue="" fieldClassName="max-w-xl">
              <option value="" disabled>
                Choose a person or a location
              </option>
              <TargetOptions people={work.people.filter((one) => one.userId !== userId)} locations={work.locations} />
            </SelectField>
          </>
        )}
      </Section>
      <Section
        title="Ends now"
        lede="They lose access at once and get an email. Their account, their own answers and anything they paid for stay theirs, and you can invite them again."
      >
        <p className="flex min-h-7 flex-wrap gap-2">
          <Tag>Their seat</Tag>
          <Tag>Links to tasks they made or got</Tag>
          {ending.map(([name, count]) => count > 0 && <Tag key={name}>{formatCount(count, name)}</Tag>)}
        </p>
      </Section>
      <FormError>{formErrorMessage(letGo.error)}</FormError>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button type="submit" variant="danger" pending={letGo.isPending} className="py-2 [overflow-wrap:anywhere]">
          Remove {email}
        </Button>
        <ButtonLink to="/account/team" variant="secondary">
          Cancel
        </ButtonLink>
      </div>
    </form>
  )
}
