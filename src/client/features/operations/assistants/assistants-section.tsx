import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { callQuery } from '#client/lib/calls.ts'
import { LoadError } from '#client/ui/loading.tsx'
import { PageLink } from '#client/ui/page-link.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Property, PropertyList } from '#client/ui/property-list.tsx'
import { adminAssistantsCall } from '#shared/contracts/operations/assistants.ts'
import { formatCount } from '#shared/domain/format-count.ts'

const usageQuery = callQuery(['admin-assistants'], adminAssistantsCall, {})

/** How many assistants are connected, and how much they are used. */
export function AssistantsSection() {
  const usage = useQuery(usageQuery)
  return (
    <Section
      title="Connected assistants"
      lede={
        <>
          Members and staff connect ChatGPT, Claude and other assistants to what they may open here. Choose who may
          under <PageLink to="/admin/settings/publication">Publication</PageLink>.{' '}
          <Link to="/portal/assistants" className="text-link">
            How to connect one
          </Link>
        </>
      }
    >
      {usage.isLoadingError && <LoadError what="the figures" query={usage} />}
      {usage.data && (
        <PropertyList>
          <Property name="Connections">
            {formatCount(usage.data.connections, 'connection')} of {formatCount(usage.data.people, 'person', 'people')}
          </Property>
          <Property name="Last 30 days">
            {formatCount(usage.data.used, 'connection')} used, {formatCount(usage.data.requests, 'request')}
          </Property>
        </PropertyList>
      )}
    </Section>
  )
}
