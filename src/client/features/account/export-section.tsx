import { Download } from 'lucide-react'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { Property, PropertyList } from '#client/ui/property-list.tsx'
import { Section } from '#client/ui/section.tsx'
import { useExportData } from './account.api.ts'

const contents = [
  ['Your account', 'addresses, dates, the names of your second steps and passkeys'],
  ['Your answers', 'focus areas, AI level, goals, franchise type'],
  ['Your subscription', 'plan, state and dates; card data is kept by the payment service alone'],
  ['Your letters', 'which were sent, what came back, what you chose to get'],
  ['Your devices', 'where you are signed in, and what was noted in the security log'],
] as const

/** Everything that is held about the reader, in a file that a person and a program can read. */
export function ExportSection() {
  const download = useExportData()
  return (
    <Section
      title="Download your data"
      lede="One file in JSON, with everything that we hold about you. Passwords, keys and codes are not in it."
    >
      <PropertyList>
        {contents.map(([name, what]) => (
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
          download.mutate(undefined, {
            onSuccess: () =>
              toast.success('Your file is ready', { id: 'export', description: 'It is among your downloads.' }),
          })
        }
      >
        <Download aria-hidden className="size-4" strokeWidth={1.75} />
        Download my data
      </Button>
    </Section>
  )
}
