import { useSearchParams } from 'react-router'
import { TriedPage, UnknownItem } from '#client/features/reader/tries/tried-page.tsx'
import { triedKinds } from '#shared/contracts/reader/tries.ts'
import { tryOutcomes } from '#shared/domain/try-outcomes.ts'

export function Component() {
  const [search] = useSearchParams()
  const kind = triedKinds.find((one) => one === search.get('kind'))
  const id = search.get('id')
  const suggested = tryOutcomes.find((outcome) => outcome === search.get('outcome')) ?? null
  return kind && id ? <TriedPage key={id} item={{ kind, id }} suggested={suggested} /> : <UnknownItem />
}
