import { useSearchParams } from 'react-router'
import { TriedPage, UnknownItem } from '#client/features/tries/tried-page.tsx'
import { triedItemSchema } from '#shared/contracts/tries.ts'
import { tryOutcomes } from '#shared/domain/try-outcomes.ts'

export function Component() {
  const [search] = useSearchParams()
  const item = triedItemSchema.safeParse({ kind: search.get('kind'), id: search.get('id') })
  const suggested = tryOutcomes.find((outcome) => outcome === search.get('outcome')) ?? null
  return item.success ? <TriedPage key={item.data.id} item={item.data} suggested={suggested} /> : <UnknownItem />
}
