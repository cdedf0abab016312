import { type StaffRole, staffRoleLabels } from '#shared/domain/staff-roles.ts'
import type { Email } from '../mailer.ts'
import { type ToReader, textEmail } from './email-texts.ts'

type Invitation = ToReader & { invitedBy: string; role: StaffRole; link: string; days: number }

/** The recipient may not have an account yet. */
export function staffInvitationEmail({ to, config, invitedBy, role, link, days }: Invitation): Email {
  const { publication } = config.settings
  const subject = `You’re invited to the staff of ${publication.name}`
  const { name, can } = staffRoleLabels[role]
  const reason = 'You get this email because an owner of the publication invited you.'
  const preview = `${invitedBy} invites you as ${name.toLowerCase()}. The invitation expires in ${days} days.`
  const lead = `${invitedBy} invites you to help publish ${publication.name}, ${publication.tagline}.`
  return textEmail({ to, config }, { department: 'Admin', reason }, { subject, preview, lead }, [
    {
      kind: 'facts',
      facts: { 'Your role': name, 'What you can do': can, 'Invited address': to, 'Expires in': `${days} days` },
    },
    { kind: 'button', label: 'View invitation', href: link },
    {
      kind: 'note',
      text: `The link works once and only for an account with this email address. It expires in ${days} days. If you weren’t expecting it, ignore this email.`,
    },
  ])
}

type AccessChange = ToReader & {
  change: 'role' | 'suspended' | 'reactivated' | 'removed'
  role: StaffRole
  by: string
}

/** Tells someone on the staff that an owner changed their access. */
export function staffAccessChangedEmail({ to, change, role, by, config }: AccessChange): Email {
  const { publication } = config.settings
  const { name, can } = staffRoleLabels[role]
  const texts = {
    role: { subject: `Your role at ${publication.name} is now ${name}`, lead: `${by} changed your role. ${can}.` },
    suspended: {
      subject: `Your staff access to ${publication.name} is suspended`,
      lead: `${by} suspended your access to the admin. Your account stays as it is.`,
    },
    reactivated: {
      subject: `Your staff access to ${publication.name} is back`,
      lead: `${by} gave you access to the admin again, as ${name.toLowerCase()}. ${can}.`,
    },
    removed: {
      subject: `You’re no longer on the staff of ${publication.name}`,
      lead: `${by} removed your access to the admin. Your account stays as it is.`,
    },
  }
  const { subject, lead } = texts[change]
  const hasAccess = change === 'role' || change === 'reactivated'
  return textEmail({ to, config }, aboutStaff, { subject, preview: lead, lead }, [
    hasAccess && { kind: 'button', label: 'Open the admin', href: `${config.publicUrl}/admin` },
    { kind: 'note', text: 'If this looks like a mistake, ask an owner.' },
  ])
}

type NewStaff = ToReader & { email: string; role: StaffRole; by: string | null }

/** Tells an owner that someone joined, or became an owner. */
export function newStaffEmail({ to, email, role, by, config }: NewStaff): Email {
  const { publication } = config.settings
  const name = staffRoleLabels[role].name.toLowerCase()
  const subject =
    role === 'owner'
      ? `${email} is now an owner of ${publication.name}`
      : `${email} joined the staff of ${publication.name}`
  const lead = by ? `${by} made ${email} an ${name}.` : `${email} accepted the invitation as ${name}.`
  return textEmail({ to, config }, aboutStaff, { subject, preview: lead, lead }, [
    { kind: 'note', text: 'Not who you expected? You can change or remove their access anytime.' },
    { kind: 'button', label: 'View the staff', href: `${config.publicUrl}/admin/settings/staff` },
  ])
}

const aboutStaff = {
  department: 'Admin',
  reason: 'You get this email because you’re on the staff of the publication.',
} as const
