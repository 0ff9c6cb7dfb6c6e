import { Entity } from '@selfsame/core';
import type { FieldsOf } from '@selfsame/core';

export class Todo extends Entity {
  id = '';
  override pk() {
    return this.id;
  }
  static override key = 'Todo';
}

export class Token extends Todo {
  address = '';
  static override process(value: FieldsOf<Token>) {
    return { ...value, address: value.address.toLowerCase() };
  }
}

export class Wallet extends Todo {
  amounts: number[] = [];
  static override merge(existing: FieldsOf<Wallet>, incoming: FieldsOf<Wallet>) {
    return { ...existing, ...incoming, amounts: [...existing.amounts, ...incoming.amounts] };
  }
}
