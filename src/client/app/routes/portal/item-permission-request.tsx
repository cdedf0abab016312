import { queryOptions, useQuery } from '@tanstack/react-query'
import { franchisorRulesQuery } from '#client/features/franchisor-rules/franchisor-rules.api.ts'
import { PermissionRequest } from '#client/features/franchisor-rules/permission-request.tsx'
import { invoke } from '#client/lib/invoke.ts'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { businessProfileCall } from '#shared/contracts/business-profile.ts'
import type { Ruling } from '#shared/domain/franchisor-rules.ts'
import type { ItemUnderRules } from './item-rules.tsx'

const businessProfileQuery = queryOptions({
  queryKey: ['business-profile'],
  queryFn: ({ signal }) => invoke(businessProfileCall, {}, signal),
})

/** The message to the franchisor about an item. What the profile doesn't say, or can't be loaded, is left out. */
export default function ItemPermissionRequest({ item, ruling }: { item: ItemUnderRules; ruling: Ruling }) {
  const profile = useQuery(businessProfileQuery)
  const recorded = useQuery(franchisorRulesQuery)
  if (profile.isPending) return <SkeletonText lines={6} className="measure py-3" />
  const values = profile.data?.values ?? {}
  const { kind, title, purpose } = item
  return (
    <PermissionRequest
      // Another rule asks other questions.
      key={`${ruling.rule} ${ruling.topics.join()}`}
      ruling={ruling}
      recorded={recorded.data ?? []}
      request={{
        kind,
        title,
        purpose,
        contact: values.franchisor_contact ?? '',
        storeName: values.store_name ?? '',
        ownerName: values.owner_first_name ?? '',
      }}
    />
  )
}
