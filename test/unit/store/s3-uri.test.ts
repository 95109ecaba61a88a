import { expect, it } from 'vitest'
import { loadS3Sdk } from '../../../src/store/s3-client.ts'
import { readS3Uri } from '../../../src/store/s3-uri.ts'

it('a bucket alone is one of Amazon', () => {
  expect(readS3Uri('s3://my-bucket')).toEqual({
    bucket: 'my-bucket',
    prefix: '',
    endpoint: undefined,
    region: undefined,
    pathStyle: false,
  })
})

it('with an endpoint the bucket goes into the path, unless it is told otherwise', () => {
  const uri = 's3://b-1/some/prefix/?endpoint=https://storage.example.org&region=eu-1'
  expect(readS3Uri(uri)).toEqual({
    bucket: 'b-1',
    prefix: 'some/prefix',
    endpoint: 'https://storage.example.org',
    region: 'eu-1',
    pathStyle: true,
  })
  expect(readS3Uri(`${uri}&path-style=false`).pathStyle).toBe(false)
})

it.each([
  's3://',
  's3://UPPER',
  's3://b-1?endpoint=storage.example.org',
  's3://b-1?endpoint=https://user:password@storage.example.org',
  's3://b-1?path-style=perhaps',
  's3://b-1?acl=public',
  's3://AKIDEXAMPLE:secret@bucket/prefix',
])('%s is refused, and not repeated', (uri) => {
  expect(() => readS3Uri(uri)).toThrow(/cannot be used/)
  expect(() => readS3Uri(uri)).not.toThrow(/secret|password/)
})

it('a package that is not installed is named, with the command that installs it', async () => {
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
  await expect(loadS3Sdk(() => Promise.reject(missing))).rejects.toMatchObject({
    code: 's3_not_installed',
    hint: 'npm install @aws-sdk/client-s3@3',
  })
  const other = new Error('broken otherwise')
  await expect(loadS3Sdk(() => Promise.reject(other))).rejects.toBe(other)
})
