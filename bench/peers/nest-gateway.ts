import { natsOptions } from '@gatehouse/proto/bus/connecting.ts'
import 'reflect-metadata'
import { Body, Controller, Inject, Module, Post } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { type ClientProxy, ClientsModule, Transport } from '@nestjs/microservices'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import type { Observable } from 'rxjs'
import { ready } from './ready.ts'

class EchoGatewayController {
  readonly #client: ClientProxy

  constructor(client: ClientProxy) {
    this.#client = client
  }

  create(body: object): Observable<object> {
    return this.#client.send('echo.create', body)
  }
}
class Gateway {}

// Decorators are functions: called as such, no compiler is needed.
Controller()(EchoGatewayController)
Inject('ECHO')(EchoGatewayController, undefined, 0)
Post('echo')(
  EchoGatewayController.prototype,
  'create',
  Object.getOwnPropertyDescriptor(EchoGatewayController.prototype, 'create') as PropertyDescriptor,
)
Body()(EchoGatewayController.prototype, 'create', 0)
Module({
  imports: [
    ClientsModule.register([
      { name: 'ECHO', transport: Transport.NATS, options: natsOptions(process.env.NATS_URL ?? '') },
    ]),
  ],
  controllers: [EchoGatewayController],
})(Gateway)

const app = await NestFactory.create<NestFastifyApplication>(Gateway, new FastifyAdapter(), { logger: false })
await app.listen(0, '127.0.0.1')
ready(await app.getUrl())
