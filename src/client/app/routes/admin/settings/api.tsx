import { ApiKeysSection } from '#client/features/operations/api-keys/api-keys-section.tsx'
import { AssistantsSection } from '#client/features/operations/assistants/assistants-section.tsx'
import { WebhooksSection } from '#client/features/operations/outgoing-webhooks/webhooks-section.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="API and webhooks" />
      <div className="pt-6 sm:pt-8">
        <ApiKeysSection />
        <WebhooksSection />
        <AssistantsSection />
      </div>
    </>
  )
}
