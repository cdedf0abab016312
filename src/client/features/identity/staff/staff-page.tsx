import { useQuery } from '@tanstack/react-query'
import { QueryPlaceholder } from '#client/ui/query-placeholder.tsx'
import { Section } from '#client/ui/section.tsx'
import { staffRoleLabels, staffRoles } from '#shared/domain/staff-roles.ts'
import { InvitationRow } from './invitation-row.tsx'
import { InviteForm } from './invite-form.tsx'
import { staffQuery } from './staff.api.ts'
import { StaffRow } from './staff-row.tsx'

/** Who can open the admin, and what they may do there. For owners. */
export function StaffPage({ ownUserId }: { ownUserId: string }) {
  const staff = useQuery(staffQuery)
  if (!staff.data) return <QueryPlaceholder query={staff} what="the staff" lines={5} height="h-16" />
  const { items, invitations, requiresSecondFactor } = staff.data
  return (
    <>
      <Section title="People" status={items.length === 1 ? '1 person' : `${items.length} people`}>
        <ul aria-label="People" className="divide-y divide-line border-t border-line">
          {items.map((person) => (
            <StaffRow
              key={person.userId}
              person={person}
              isYou={person.userId === ownUserId}
              requiresSecondFactor={requiresSecondFactor}
            />
          ))}
        </ul>
      </Section>
      <Section title="Invite someone" lede="The link works once, for this address only, and expires in seven days.">
        <InviteForm />
        {invitations.length > 0 && (
          <ul aria-label="Open invitations" className="mt-8 divide-y divide-line border-t border-line">
            {invitations.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} />
            ))}
          </ul>
        )}
      </Section>
      <Section title="What each role can do">
        <dl className="grid max-w-3xl gap-x-8 gap-y-3 sm:grid-cols-[7rem_minmax(0,1fr)]">
          {staffRoles.map((role) => (
            <div key={role} className="contents">
              <dt className="font-semibold max-sm:mt-1">{staffRoleLabels[role].name}</dt>
              <dd className="text-muted max-sm:-mt-2.5">{staffRoleLabels[role].can}.</dd>
            </div>
          ))}
        </dl>
        <p className="mt-5 max-w-[60ch] text-muted">
          A role doesn’t open the portal. Give staff a plan or complimentary access if they should read it as members
          do.
        </p>
      </Section>
    </>
  )
}
