import { Button } from '#client/ui/button.tsx'
import { Section } from '#client/ui/section.tsx'
import { useExportMember } from '../member-page.api.ts'

/** Answers a data request. For owners. */
export function MemberDataSection({ userId }: { userId: string }) {
  const download = useExportMember(userId)
  return (
    <Section
      title="Data request"
      lede="One JSON file with everything stored about this member, without passwords, keys, or codes. They get an email about it."
    >
      <Button variant="secondary" pending={download.isPending} onClick={() => download.mutate()}>
        Download their data
      </Button>
    </Section>
  )
}
