import { useQuery } from '@tanstack/react-query'
import { businessProfileQuery } from '#client/features/reader/business-profile/business-profile.api.ts'
import { franchisorRulesQuery } from '#client/features/reader/franchisor-rules/franchisor-rules.api.ts'
import { PermissionRequest } from '#client/features/reader/franchisor-rules/permission-request.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import type { ItemRef } from '#shared/domain/content-items.ts'
import type { Ruling } from '#shared/domain/franchisor-rules.ts'

type ItemPermissionRequestProps = {
  /** `purpose` says what it does, in a sentence or two. */
  item: Pick<ItemRef, 'kind'> & { title: string; purpose: string }
  ruling: Ruling
}

/** The message to the franchisor about an item. What the profile doesn't say, or can't be loaded, is left out. */
export default function ItemPermissionRequest({ item, ruling }: ItemPermissionRequestProps) {
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
