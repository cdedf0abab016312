import { useQuery } from '@tanstack/react-query'
import { newslettersQuery } from '#client/lib/newsletters-query.ts'
import { SelectField } from '#client/ui/form.tsx'

type NewsletterSelectProps = {
  /** Whom the email reaches without a newsletter. */
  everyone: string
  value: number | null
  onChange: (newsletterId: number | null) => void
}

/** Chooses a newsletter that the publisher added. Shown once there is one; a retired one only if it is chosen. */
export function NewsletterSelect({ everyone, value, onChange }: NewsletterSelectProps) {
  const items = useQuery(newslettersQuery).data?.items ?? []
  const offered = items.filter(({ id, retiredAt }) => retiredAt === null || id === value)
  const chosen = offered.find(({ id }) => id === value)
  if (offered.length === 0) return null
  return (
    <SelectField
      fieldClassName="max-w-md"
      label="Newsletter"
      hint={
        chosen?.retiredAt
          ? 'This newsletter is retired. Choose another one.'
          : chosen &&
            `Sent to its subscribers${chosen.membersOnly ? ' who are members' : ''}, who can unsubscribe from it.`
      }
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value ? Number(target.value) : null)}
      options={offered.map(({ id, name, retiredAt }) => [id, retiredAt ? `${name} (retired)` : name])}
    >
      <option value="">{everyone}</option>
    </SelectField>
  )
}
