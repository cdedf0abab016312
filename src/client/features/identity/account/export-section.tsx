import { Download } from 'lucide-react'
import { useChange } from '#client/lib/changes.ts'
import { publication } from '#client/lib/publication.ts'
import { saveJson } from '#client/lib/save-file.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Property, PropertyList } from '#client/ui/property-list.tsx'
import { exportDataCall } from '#shared/contracts/identity/account-security.ts'

/** Names the answers in the file. */
const preferenceNames = () =>
  Object.keys(publication.questions).length === 0
    ? 'Focus areas, AI level, goals, franchise type'
    : 'What you answered, for the order you see'

const contents = () =>
  [
    ['Your account', 'Email, dates, and the names of your passkeys and two-step methods'],
    ['Your preferences', preferenceNames()],
    ['Your subscription', 'Plan, status, and dates. Stripe keeps your card details'],
    ['Your emails', 'What we sent, what bounced, and your email preferences'],
    ['Your devices', 'Where you’re signed in, and your security log'],
  ] as const

export function ExportSection() {
  const download = useChange(exportDataCall, { failure: 'We couldn’t create your file', onSuccess: saveJson })
  return (
    <Section
      title="Download your data"
      lede="One JSON file with everything we store about you. It doesn’t include passwords, keys, or codes."
    >
      <PropertyList>
        {contents().map(([name, what]) => (
          <Property key={name} name={<span className="text-base font-semibold text-ink">{name}</span>}>
            <span className="text-muted">{what}</span>
          </Property>
        ))}
      </PropertyList>
      <Button
        variant="secondary"
        className="mt-5"
        pending={download.isPending}
        onClick={() =>
          download.mutate(null, {
            onSuccess: () =>
              toast.success('Your file is ready', { id: 'export', description: 'Check your downloads folder.' }),
          })
        }
      >
        <Download aria-hidden className="size-4" strokeWidth={1.75} />
        Download my data
      </Button>
    </Section>
  )
}
