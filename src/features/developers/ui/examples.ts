/**
 * The examples of the reference page. Each is a whole program, and a test runs every one of them
 * against a running server.
 */
import { operationOf } from './api-document.ts'

/** The server puts its own address in the place of this mark. */
export const PUBLIC_URL = '__PUBLIC_URL__'
/** Stands for the id of a reader's own transcription. */
export const AN_ID = '4f0c2f5e-6b3a-4a8e-9d55-0c6f2c1c7a10'

export const languages = [
  { id: 'curl', name: 'cURL' },
  { id: 'javascript', name: 'JavaScript' },
  { id: 'python', name: 'Python' },
] as const
export type LanguageId = (typeof languages)[number]['id']
export type Example = Record<LanguageId, string>

const bearer = '"Authorization: Bearer $QUOTH_API_KEY"'
const jsHeaders = 'headers: { Authorization: `Bearer ${process.env.QUOTH_API_KEY}` }'
const pyStart = `import os
import requests

headers = {"Authorization": f"Bearer {os.environ['QUOTH_API_KEY']}"}`

/** A call without a file, which answers JSON. */
function call(id: string, { query = '', json }: { query?: string; json?: object } = {}): Example {
  const { method, path } = operationOf(id)
  const url = `${PUBLIC_URL}${path.replace('{id}', AN_ID)}${query}`
  const body = JSON.stringify(json)
  const start = method === 'DELETE' ? 'curl -X DELETE' : 'curl'
  return {
    curl: `${start} "${url}" \\
  -H ${bearer}${json ? ` \\\n  -H "Content-Type: application/json" \\\n  -d '${body}'` : ''}`,
    javascript: `const answer = await fetch('${url}', {
${method === 'GET' ? '' : `  method: '${method}',\n`}${json ? jsonInit(body) : `  ${jsHeaders},`}
})
if (!answer.ok) throw new Error(await answer.text())
console.log(await answer.json())`,
    python: `${pyStart}
answer = requests.${method.toLowerCase()}("${url}", headers=headers${json ? `, json=${body}` : ''})
answer.raise_for_status()
print(answer.json())`,
  }
}

/** A call that answers with a file. */
function saved(id: string, { query, file }: { query: string; file: string }): Example {
  const url = `${PUBLIC_URL}${operationOf(id).path.replace('{id}', AN_ID)}${query}`
  return {
    // A bucket may hold the file: then the answer says where.
    curl: `curl -L "${url}" \\
  -H ${bearer} \\
  -o ${file}`,
    javascript: `import { writeFile } from 'node:fs/promises'

const answer = await fetch('${url}', {
  ${jsHeaders},
})
if (!answer.ok) throw new Error(await answer.text())
await writeFile('${file}', Buffer.from(await answer.arrayBuffer()))`,
    python: `${pyStart}
answer = requests.get("${url}", headers=headers)
answer.raise_for_status()
with open("${file}", "wb") as file:
    file.write(answer.content)`,
  }
}

const jsonInit = (body: string) => `  headers: {
    Authorization: \`Bearer \${process.env.QUOTH_API_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${body}),`

export const examples = {
  signIn: {
    curl: `curl "${PUBLIC_URL}/api/login" \\
  -H "Content-Type: application/json" \\
  -d "{\\"email\\": \\"$QUOTH_EMAIL\\", \\
       \\"password\\": \\"$QUOTH_PASSWORD\\", \\
       \\"token\\": true}"`,
    javascript: `const answer = await fetch('${PUBLIC_URL}/api/login', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({
    email: process.env.QUOTH_EMAIL,
    password: process.env.QUOTH_PASSWORD,
    token: true,
  }),
})
if (!answer.ok) throw new Error(await answer.text())
const { token } = await answer.json()
console.log(token)`,
    python: `import os
import requests

answer = requests.post("${PUBLIC_URL}/api/login", json={
    "email": os.environ["QUOTH_EMAIL"],
    "password": os.environ["QUOTH_PASSWORD"],
    "token": True,
})
answer.raise_for_status()
print(answer.json()["token"])`,
  },
  createTranscription: {
    curl: `curl "${PUBLIC_URL}/api/transcriptions" \\
  -H ${bearer} \\
  -H "Idempotency-Key: interview-2026-11-21" \\
  -F file=@interview.m4a \\
  -F language=en \\
  -F summaryLanguage=en`,
    javascript: `import { openAsBlob } from 'node:fs'

const form = new FormData()
form.set('file', await openAsBlob('interview.m4a'), 'interview.m4a')
form.set('language', 'en')
form.set('summaryLanguage', 'en')

const answer = await fetch('${PUBLIC_URL}/api/transcriptions', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.QUOTH_API_KEY}\`,
    'Idempotency-Key': 'interview-2026-11-21',
  },
  body: form,
})
if (!answer.ok) throw new Error(await answer.text())
console.log(await answer.json())`,
    python: `${pyStart}
headers["Idempotency-Key"] = "interview-2026-11-21"
with open("interview.m4a", "rb") as file:
    answer = requests.post(
        "${PUBLIC_URL}/api/transcriptions",
        headers=headers,
        files={"file": file},
        data={"language": "en", "summaryLanguage": "en"},
    )
answer.raise_for_status()
print(answer.json())`,
  },
  listTranscriptions: call('listTranscriptions', {
    query: '?limit=20&since=2026-11-01T00:00:00Z',
  }),
  getTranscription: call('getTranscription'),
  deleteTranscription: call('deleteTranscription'),
  exportTranscription: saved('exportTranscription', {
    query: '?format=srt',
    file: 'interview.srt',
  }),
  getMedia: saved('getMedia', { query: '?download=1', file: 'recording.m4a' }),
  getUser: call('getUser'),
  createWebhook: call('createWebhook', {
    json: { url: 'https://hooks.example/quoth', types: ['transcription.completed'] },
  }),
  createSpeechTranscription: {
    curl: `curl "${PUBLIC_URL}/v1/audio/transcriptions" \\
  -H ${bearer} \\
  -F file=@interview.m4a \\
  -F model=whisper-1 \\
  -F response_format=verbose_json \\
  -F "timestamp_granularities[]=word"`,
    javascript: `import { createReadStream } from 'node:fs'
import OpenAI from 'openai'

const openai = new OpenAI({ apiKey: process.env.QUOTH_API_KEY, baseURL: '${PUBLIC_URL}/v1' })
const transcription = await openai.audio.transcriptions.create({
  file: createReadStream('interview.m4a'),
  model: 'whisper-1',
})
console.log(transcription.text)`,
    python: `${pyStart}
with open("interview.m4a", "rb") as file:
    answer = requests.post(
        "${PUBLIC_URL}/v1/audio/transcriptions",
        headers=headers,
        files={"file": file},
        data={"model": "whisper-1", "response_format": "diarized_json"},
    )
answer.raise_for_status()
for segment in answer.json()["segments"]:
    print(segment["speaker"], segment["text"])`,
  },
} as const satisfies Record<string, Example>

/** A receiver that verifies that a message is ours, with the library of Standard Webhooks. */
export const verifying = `import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.QUOTH_WEBHOOK_SECRET)
createServer(async (request, response) => {
  const body = await text(request)
  try {
    const { type, data } = webhook.verify(body, request.headers)
    console.log(type, data.id)
    response.writeHead(204).end()
  } catch {
    response.writeHead(400).end()
  }
}).listen(process.env.PORT)`
