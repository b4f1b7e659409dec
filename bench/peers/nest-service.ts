import { natsOptions } from '@gatehouse/proto/bus/connecting.ts'
import 'reflect-metadata'
import { Controller, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { MessagePattern, type MicroserviceOptions, Transport } from '@nestjs/microservices'
import { ready } from './ready.ts'

class EchoServiceController {
  create(params: object): object {
    return params
  }
}
class Service {}

// Decorators are functions: called as such, no compiler is needed.
Controller()(EchoServiceController)
MessagePattern('echo.create')(EchoServiceController.prototype, 'create', methodOf(EchoServiceController, 'create'))
Module({ controllers: [EchoServiceController] })(Service)

const service = await NestFactory.createMicroservice<MicroserviceOptions>(Service, {
  transport: Transport.NATS,
  options: natsOptions(process.env.NATS_URL ?? ''),
  logger: false,
})
await service.listen()
ready()

function methodOf({ prototype }: { prototype: object }, name: string): PropertyDescriptor {
  return Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor
}
