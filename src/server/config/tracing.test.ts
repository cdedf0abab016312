import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const tracingOf = (env: Record<string, string>) => readConfig({ NODE_ENV: 'test', ...env }).tracing

test('without an endpoint there are no traces, whatever else is set', () => {
  expect(tracingOf({ OTEL_SERVICE_NAME: 'letters', OTEL_TRACES_SAMPLER_ARG: '1' })).toBeNull()
  expect(tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318', OTEL_SDK_DISABLED: 'true' })).toBeNull()
})

test('the endpoint is a base address; the one for traces is used as it is', () => {
  expect(tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318/' })).toEqual({
    url: 'http://localhost:4318/v1/traces',
    headers: {},
    serviceName: 'front-counter',
    ratio: 1,
    continuesTraces: false,
  })
  expect(
    tracingOf({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.test/in',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc, x-team = a=b ',
      OTEL_TRACES_SAMPLER_ARG: '0.05',
      TRUSTED_PROXIES: '1',
    }),
  ).toMatchObject({
    url: 'https://traces.example.test/in',
    headers: { authorization: 'Bearer abc', 'x-team': 'a=b' },
    ratio: 0.05,
    continuesTraces: true,
  })
})

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }, /OTEL_EXPORTER_OTLP_ENDPOINT: must be an http/],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /OTEL_EXPORTER_OTLP_PROTOCOL: only http\/json is supported/],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'no value' }, /OTEL_EXPORTER_OTLP_HEADERS: must be name=value pairs/],
  [{ OTEL_TRACES_SAMPLER_ARG: '2' }, /OTEL_TRACES_SAMPLER_ARG: /],
])('what can’t work is refused: %j', (env, message) => {
  expect(() => tracingOf(env as unknown as Record<string, string>)).toThrow(message)
})
