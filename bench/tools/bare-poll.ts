/** The least server that can answer a poll: one SELECT by id and owner, sent as JSON. Prints its port. */
import { type AddressInfo } from 'node:net'

import Fastify from 'fastify'
import { Pool } from 'pg'

const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 12 })
const app = Fastify()
app.get<{ Params: { id: string }; Headers: { 'x-user': string } }>('/:id', async (request) => {
  const { rows } = await pool.query('select * from transcriptions where id = $1 and user_id = $2', [
    request.params.id,
    request.headers['x-user'],
  ])
  return rows[0]
})
await app.listen({ port: 0, host: '127.0.0.1' })
console.log((app.server.address() as AddressInfo).port)
