import { ConnectAssistants } from '#client/features/operations/assistants/connect-assistants.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'

export function Component() {
  return (
    <>
      <PageHeading
        title="Connect an assistant"
        lede="Let ChatGPT, Claude or another assistant find, fill in and follow up what your plan includes."
      />
      <ConnectAssistants />
    </>
  )
}
